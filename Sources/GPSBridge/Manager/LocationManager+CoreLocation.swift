// SPDX-License-Identifier: MIT

// Further members of `CLLocationManager`. Linux asks the user for no permission: access to the device node is
// the authorization.
extension LocationManager {
    /// Does nothing; kept for ports. The permission to open the device is not asked for: it is
    /// reported by `locationManagerDidChangeAuthorization(_:)` once the receiver has been opened.
    public func requestWhenInUseAuthorization() {}

    /// Does nothing; kept for ports. See `requestWhenInUseAuthorization()`.
    public func requestAlwaysAuthorization() {}

    /// Whether this system has location services: always `true`. `DeviceDiscovery` lists receivers.
    public static func locationServicesEnabled() -> Bool { true }

    /// Every fix, without regard to distance. The CoreLocation counterpart is
    /// `kCLDistanceFilterNone`.
    public static let distanceFilterNone = -1.0

    /// The best accuracy: any valid fix will do. The CoreLocation counterpart is
    /// `kCLLocationAccuracyBest`.
    public static let accuracyBest = -1.0

    /// As `accuracyBest`. The CoreLocation counterpart is `kCLLocationAccuracyBestForNavigation`.
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
