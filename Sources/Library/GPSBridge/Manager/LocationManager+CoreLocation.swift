// SPDX-License-Identifier: MIT
import Synchronization

// More counterparts of members of `CLLocationManager`. Linux does not ask the user for permission:
// access to the device node is the authorization.
extension LocationManager {
    /// Determines the authorization if it is not known yet: `.denied` if the file permissions allow
    /// reading none of the receivers, otherwise `.authorizedAlways`, also if none is plugged in.
    ///
    /// It exists for programs ported from CoreLocation: they start updates when the resulting
    /// status is reported by `locationManagerDidChangeAuthorization(_:)`. Without a request, the
    /// status is determined when the manager opens the receiver.
    public func requestWhenInUseAuthorization() {
        guard authorizationStatus == .notDetermined else { return }
        let sources = state.withLock { $0.sources }
        let isDenied =
            !sources.isEmpty && sources.allSatisfy { ReceiverAccess.refusal(of: $0) != nil }
        let effects = state.withLock {
            $0.determineAuthorization(isDenied ? .denied : .authorizedAlways)
        }
        for effect in effects { carryOut(effect, ofRun: .none) }
    }

    /// The same as `requestWhenInUseAuthorization()`.
    public func requestAlwaysAuthorization() { requestWhenInUseAuthorization() }

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
