// SPDX-License-Identifier: MIT
import Synchronization

/// Headings of vessels and vehicles with a compass, two antennas or an inertial unit on the
/// receiver's line.
///
/// Headings belong to the receiver's epochs, with or without a position. A compass alone on its
/// line has no epochs; use `sentences(HDT.self)` or `sentences(HDG.self)` instead.
extension LocationManager {
    /// A filter that delivers every heading. The CoreLocation counterpart is
    /// `kCLHeadingFilterNone`.
    public static let headingFilterNone = -1.0

    /// The default of CoreLocation: 1°.
    static let defaultHeadingFilter = 1.0

    /// Starts heading updates; returns at once. Starting again has no effect.
    ///
    /// The first heading is sent with the first epoch that has one, further ones when
    /// `headingFilter` is exceeded. Location updates are independent of heading updates.
    public func startUpdatingHeading() {
        let (effects, run) = state.withLock { ($0.startUpdatingHeading(), $0.run(of: .all)) }
        for effect in effects { carryOut(effect, ofRun: run) }
        attach()
    }

    /// Stops heading updates. As with `stopUpdatingLocation()`, no delegate call of these updates
    /// begins after this has returned.
    public func stopUpdatingHeading() {
        let released = state.withLock { $0.stopUpdatingHeading() }
        withExtendedLifetime(released) {}
    }

    /// The last heading, regardless of the filter; check its timestamp.
    public var heading: Heading? { state.withLock { $0.heading } }

    /// The change in degrees after which the next heading is sent; `headingFilterNone` sends every
    /// heading. Default: 1.
    public var headingFilter: Double {
        get { state.withLock { $0.headingFilter } }
        set {
            state.withLock { $0.headingFilter = newValue }
            headingFilterChanges.send(newValue)
        }
    }
}
