// SPDX-License-Identifier: MIT
import Dispatch
package import GPSBridge
import Synchronization

extension ManagerEngine {
    var heading: CLHeading? { existingManager?.heading.map { CLHeading(receiver: $0) } }

    func startUpdatingHeading() {
        let started: Int? = headings.withLock { headings in
            // A compass at rest reports nothing more, so a second start must not wait for a heading.
            guard !headings.isRunning else { return nil }
            headings.isRunning = true
            headings.isMissing = true
            headings.runCount += 1
            return headings.runCount
        }
        guard let number = started else { return }
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
        headings.withLock { headings in (headings.isRunning, headings.isMissing) = (false, false) }
        existingManager?.stopUpdatingHeading()
    }

    func locationManager(_ core: LocationManager, didUpdateHeading heading: Heading) {
        headings.withLock { $0.isMissing = false }
        HeadingAvailability.didReceiveHeading()
        deliver { $1.locationManager($0, didUpdateHeading: CLHeading(receiver: heading)) }
    }
}

/// Tracks whether heading updates have delivered a heading.
struct HeadingState: Sendable {
    /// Whether heading updates have started and not stopped.
    var isRunning = false
    /// Whether heading updates have started and no heading has been delivered since.
    var isMissing = false
    /// The number of starts. A timeout is ignored if updates have been started again since.
    var runCount = 0
}

extension CLHeading {
    /// The value in degrees to use for an unknown heading accuracy, because a negative value would
    /// mean that the heading is invalid.
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
