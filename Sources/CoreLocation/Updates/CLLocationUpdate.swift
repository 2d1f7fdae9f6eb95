// SPDX-License-Identifier: MIT
import GPSBridge
public import GPSReceivers

/// A location, or the reason why there is none at the moment.
public struct CLLocationUpdate: Sendable {
    /// The location; `nil` if the update reports something else.
    public let location: CLLocation?
    /// Whether the speed has been below 0.5 m/s for 10 s.
    public let stationary: Bool
    /// Whether a location is unavailable because there is no fix, no data or no device.
    public let locationUnavailable: Bool
    /// Whether the program may not open the receiver.
    public let authorizationDenied: Bool

    init(_ update: LocationUpdate) {
        location = update.location.map { CLLocation(receiver: $0) }
        stationary = update.isStationary
        locationUnavailable = update.isLocationUnavailable
        authorizationDenied = update.isAuthorizationDenied
    }

    /// The same as `stationary`.
    public var isStationary: Bool { stationary }

    /// The activity for which locations are used. No effect on Linux.
    public enum LiveConfiguration: Int, Hashable, Sendable {
        /// Any activity.
        case `default`
        /// Driving a car.
        case automotiveNavigation
        /// Moving in another vehicle.
        case otherNavigation
        /// Moving on foot.
        case fitness
        /// Flying.
        case airborne
        /// On the water.
        case maritime
    }

    /// Returns live updates for any number of loops. Each loop receives all updates from its start
    /// on.
    ///
    /// The first loop opens the receiver, and the end of the last one closes it. The newest 256
    /// updates are kept for a loop that is slow. A loop ends with its task or with a recording, and
    /// never throws.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        updates(of: nil)
    }

    /// Returns the updates of a receiver. Not available on Apple's systems.
    public static func liveUpdates(
        _ configuration: LiveConfiguration = .default, source: any DeviceSource
    ) -> Updates {
        updates(of: source)
    }

    private static func updates(of source: (any DeviceSource)?) -> Updates {
        Updates {
            Location.liveUpdates(from: [source ?? ConfiguredReceiver.source])
                .map { CLLocationUpdate($0) }.makeAsyncIterator()
        }
    }

    /// Live updates; see `liveUpdates(_:)`.
    public typealias Updates = CoreLocationSequence<CLLocationUpdate>
}

// Documented together.
/// States that never occur on Linux.
extension CLLocationUpdate {
    public var authorizationDeniedGlobally: Bool { false }
    public var authorizationRestricted: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }
    public var accuracyLimited: Bool { false }
}
