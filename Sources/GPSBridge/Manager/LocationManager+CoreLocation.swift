// SPDX-License-Identifier: MIT

// Further members of `CLLocationManager`. Linux does not ask the user: access to the device node is
// the authorization. the authorization.
extension LocationManager {
    /// Does nothing; exists for ported programs. Once the receiver has been opened,
    /// `locationManagerDidChangeAuthorization(_:)` reports whether that was permitted.
    public func requestWhenInUseAuthorization() {}

    /// Does nothing; exists for ported programs. See `requestWhenInUseAuthorization()`.
    public func requestAlwaysAuthorization() {}

    /// Whether this system has location services: always `true`. `DeviceDiscovery` lists receivers.
    public static func locationServicesEnabled() -> Bool { true }

    /// A filter that delivers every fix. The CoreLocation counterpart is `kCLDistanceFilterNone`.
    public static let distanceFilterNone = -1.0

    /// The best accuracy, which any valid fix meets. The CoreLocation counterpart is
    /// `kCLLocationAccuracyBest`.
    public static let accuracyBest = -1.0

    /// The same as `accuracyBest`. The CoreLocation counterpart is
    /// `kCLLocationAccuracyBestForNavigation`.
    public static let accuracyBestForNavigation = -2.0

    /// 10 m. The CoreLocation counterpart is `kCLLocationAccuracyNearestTenMeters`.
    public static let accuracyNearestTenMeters = 10.0

    /// 100 m. The CoreLocation counterpart is `kCLLocationAccuracyHundredMeters`.
    public static let accuracyHundredMeters = 100.0

    /// 1 km. The CoreLocation counterpart is `kCLLocationAccuracyKilometer`.
    public static let accuracyKilometer = 1000.0

    /// 3 km. The CoreLocation counterpart is `kCLLocationAccuracyThreeKilometers`.
    public static let accuracyThreeKilometers = 3000.0
}
