// SPDX-License-Identifier: MIT
import GPSBridge
public import GPSReceivers

/// A location, or the reason why none is available.
public struct CLLocationUpdate: Sendable {
    /// The location; `nil` if the update reports why none is available.
    public let location: CLLocation?
    /// Whether the receiver has not moved for about five seconds; see `Location.isStationary` of
    /// `GPSBridge`.
    public let stationary: Bool
    /// Whether no location is available because the receiver has no fix, sends no data or is not
    /// plugged in.
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

    /// The user's activity during the updates. It has no effect on Linux.
    public enum LiveConfiguration: Hashable, Sendable {
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

        /// On the water: the same as `otherNavigation`. It is not a case, so that a `switch` without
        /// it compiles.
        public static var maritime: LiveConfiguration { .otherNavigation }
    }

    /// Returns the updates of the configured receiver, for any number of loops. Each loop receives
    /// the updates since it started.
    ///
    /// The receiver is open while a loop runs. The newest 256 updates are buffered for a slow loop.
    /// A loop ends when its task is cancelled, or when the source is a recording that ends or cannot
    /// be opened. It never throws.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        updates(of: nil)
    }

    /// Returns the updates of the given receiver. Not available on Apple's systems.
    public static func liveUpdates(
        _ configuration: LiveConfiguration = .default, source: any DeviceSource
    ) -> Updates {
        updates(of: source)
    }

    private static func updates(of source: (any DeviceSource)?) -> Updates {
        Updates {
            // The program's location and authorization are not taken from the updates, which may
            // wait for the loop.
            Location.liveUpdates(sources: [source ?? ConfiguredReceiver.source]) { location in
                if source == nil { ConfiguredReceiver.store(location) }
            } didChangeAuthorization: { status in
                if source == nil { ManagerEngine.didChangeShared(status) }
            }.map { CLLocationUpdate($0) }.makeAsyncIterator()
        }
    }

    /// The sequence that `liveUpdates(_:)` returns.
    public typealias Updates = CoreLocationSequence<CLLocationUpdate>
}

// Documented together.
/// Reasons for a missing location on Apple's systems. They never occur on Linux.
extension CLLocationUpdate {
    public var authorizationDeniedGlobally: Bool { false }
    public var authorizationRestricted: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }
    public var accuracyLimited: Bool { false }
}

/// An asynchronous sequence for any number of loops. It never throws, but loops need `try`, as on
/// Apple's systems.
public struct CoreLocationSequence<Element: Sendable>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

    /// Creates a sequence that calls `begin` for each loop.
    init(_ begin: @escaping @Sendable () -> any AsyncIteratorProtocol<Element, Never>) {
        self.begin = begin
    }

    /// Creates the iterator of a loop.
    public func makeAsyncIterator() -> Iterator { Iterator(base: begin()) }

    /// The iterator of one loop.
    public struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Element, Never>

        /// Returns the next element when it arrives; `nil` at the end or on cancellation.
        public mutating func next() async throws -> Element? {
            await base.next(isolation: #isolation)
        }

        /// Returns the next element when it arrives; `nil` at the end or on cancellation.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> Element? {
            await base.next(isolation: actor)
        }
    }
}
