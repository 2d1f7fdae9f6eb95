// SPDX-License-Identifier: MIT
import CoreLocation
import GPSTestSupport

/// A delegate that records failures of features that do not exist on Linux.
final class RangingDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    let codes = Witness<CLError.Code?>()

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        codes.note((error as? CLError)?.code)
    }

    func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        codes.note((error as? CLError)?.code)
    }
}
