// SPDX-License-Identifier: MIT
import GPSIO
import Synchronization

/// Reports headings of a vessel or vehicle. They are measured by a compass, two antennas or an
/// inertial unit, and arrive on the receiver's line.
///
/// A receiver's headings arrive with its epochs, with or without a position. A compass that is
/// alone on its line has no epochs: its headings arrive with its measurements.
extension LocationManager {
    /// A heading filter that reports every heading. The CoreLocation counterpart is
    /// `kCLHeadingFilterNone`.
    public static let headingFilterNone = -1.0

    /// The default heading filter in degrees, as in CoreLocation.
    static let defaultHeadingFilter = 1.0

    /// Starts heading updates and returns immediately. If they are running, only retries sources
    /// that could not be opened.
    ///
    /// The first heading is always reported. Later headings are reported when the angle to the last
    /// reported heading reaches `headingFilter`. Location updates are independent of heading
    /// updates.
    public func startUpdatingHeading() {
        let now = poller.now
        let (effects, run) = state.withLock {
            ($0.startUpdatingHeading(at: now), $0.run(of: .all))
        }
        for effect in effects { carryOut(effect, ofRun: run) }
        attach()
    }

    /// Stops heading updates. As with `stopUpdatingLocation()`, no delegate call for these updates
    /// begins after this has returned.
    public func stopUpdatingHeading() {
        let released = state.withLock { $0.stopUpdatingHeading() }
        withExtendedLifetime(released) {}
    }

    /// The last heading, even if the filter omits it; `nil` before the first. It may be old: check
    /// its timestamp.
    public var heading: Heading? { state.withLock { $0.heading } }

    /// The minimum angle in degrees between two reported headings. `headingFilterNone` reports
    /// every heading. Default: 1.
    public var headingFilter: Double {
        get { state.withLock { $0.headingFilter } }
        set {
            state.withLock { $0.headingFilter = newValue }
            settingChanges.enqueue { [self] in headingFilterChanges.send(headingFilter) }
        }
    }
}
