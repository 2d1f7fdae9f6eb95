// SPDX-License-Identifier: MIT
import Synchronization

/// Where the bow points, for vessels and vehicles with a compass, two antennas or an inertial unit on the
/// receiver's line.
///
/// Headings come with the receiver's epochs, with or without a position. A compass alone on its line
/// has no epochs: `sentences(HDT.self)` and `sentences(HDG.self)` give what it sends.
extension LocationManager {
    /// Every heading, however small the turn. The CoreLocation counterpart is `kCLHeadingFilterNone`.
    public static let headingFilterNone = -1.0

    /// CoreLocation's: 1°.
    static let defaultHeadingFilter = 1.0

    /// Starts heading updates; returns at once. Starting again does nothing.
    ///
    /// The first heading comes with the first epoch that has one, further ones whenever `headingFilter`
    /// is exceeded. Locations are started by themselves, and both may run at a time.
    public func startUpdatingHeading() {
        let (effects, run) = state.withLock { ($0.startUpdatingHeading(), $0.run(of: .all)) }
        for effect in effects { carryOut(effect, ofRun: run) }
        attach()
    }

    /// Stops heading updates. As with `stopUpdatingLocation()`, no call of theirs begins after this has
    /// returned.
    public func stopUpdatingHeading() {
        let released = state.withLock { $0.stopUpdatingHeading() }
        withExtendedLifetime(released) {}
    }

    /// The last heading, filtered or not; look at its timestamp.
    public var heading: Heading? { state.withLock { $0.heading } }

    /// Degrees to turn before the next heading is sent; `headingFilterNone` for every one.
    /// Default: 1.
    public var headingFilter: Double {
        get { state.withLock { $0.headingFilter } }
        set {
            state.withLock { $0.headingFilter = newValue }
            headingFilterChanges.send(newValue)
        }
    }
}
