// SPDX-License-Identifier: MIT
import Dispatch
package import GPSBridge
import Synchronization

extension ManagerEngine {
    var heading: CLHeading? { existingManager?.heading.map { CLHeading(receiver: $0) } }

    func startUpdatingHeading() {
        let number = headings.withLock { headings in
            headings.isMissing = true
            headings.runCount += 1
            return headings.runCount
        }
        manager.startUpdatingHeading()
        queue.asyncAfter(deadline: .now() + headingTimeout) { [weak self] in
            guard let self, headings.withLock({ $0.isMissing && $0.runCount == number }) else {
                return
            }
            HeadingAvailability.didTimeOut()
            deliver { $1.locationManager($0, didFailWithError: CLError(.headingFailure)) }
        }
    }

    func stopUpdatingHeading() {
        headings.withLock { $0.isMissing = false }
        existingManager?.stopUpdatingHeading()
    }

    func locationManager(_ core: LocationManager, didUpdateHeading heading: Heading) {
        headings.withLock { $0.isMissing = false }
        HeadingAvailability.didReceiveHeading()
        deliver { $1.locationManager($0, didUpdateHeading: CLHeading(receiver: heading)) }
    }
}

/// Tracks whether requested headings have been received.
struct HeadingState: Sendable {
    var isMissing = false
    var runCount = 0
}

extension CLHeading {
    /// The value in degrees for an unknown heading accuracy; a negative one would mean an invalid
    /// heading.
    private static let unknownAccuracy = 5.0

    package convenience init(receiver heading: Heading) {
        self.init(
            Heading(
                trueHeading: heading.trueHeading,
                magneticHeading: heading.magneticHeading >= 0
                    ? heading.magneticHeading : heading.trueHeading,
                headingAccuracy: heading.headingAccuracy >= 0
                    ? heading.headingAccuracy : Self.unknownAccuracy,
                timestamp: heading.timestamp))
    }
}
