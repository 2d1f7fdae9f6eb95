// SPDX-License-Identifier: MIT

// More counterparts of members of `CLLocationManager`. Linux does not ask the user for permission:
// access to the device node is the authorization.
extension LocationManager {
    /// Does nothing. It exists for programs ported from CoreLocation. When the manager opens the
    /// receiver, `locationManagerDidChangeAuthorization(_:)` reports whether that was permitted.
    public func requestWhenInUseAuthorization() {}

    /// Does nothing; see `requestWhenInUseAuthorization()`.
    public func requestAlwaysAuthorization() {}

    /// Returns `true`. To find out whether a receiver is plugged in, use `DeviceDiscovery`.
    public static func locationServicesEnabled() -> Bool { true }

    /// A distance filter that reports every fix. The CoreLocation counterpart is
    /// `kCLDistanceFilterNone`.
    public static let distanceFilterNone = -1.0

    /// The receiver's best accuracy: a request accepts any valid fix. The CoreLocation counterpart
    /// is `kCLLocationAccuracyBest`.
    public static let accuracyBest = -1.0

    /// The same as `accuracyBest`. The CoreLocation counterpart is
    /// `kCLLocationAccuracyBestForNavigation`.
    public static let accuracyBestForNavigation = -2.0

    /// An accuracy of 10 m. The CoreLocation counterpart is `kCLLocationAccuracyNearestTenMeters`.
    public static let accuracyNearestTenMeters = 10.0

    /// An accuracy of 100 m. The CoreLocation counterpart is `kCLLocationAccuracyHundredMeters`.
    public static let accuracyHundredMeters = 100.0

    /// An accuracy of 1 km. The CoreLocation counterpart is `kCLLocationAccuracyKilometer`.
    public static let accuracyKilometer = 1000.0

    /// An accuracy of 3 km. The CoreLocation counterpart is `kCLLocationAccuracyThreeKilometers`.
    public static let accuracyThreeKilometers = 3000.0
}
