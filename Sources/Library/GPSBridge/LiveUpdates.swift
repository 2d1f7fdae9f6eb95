// SPDX-License-Identifier: MIT
import Delegation
import FoundationEssentials
public import GPSReceivers
import Synchronization

/// A location, or the reason why no location is available.
///
/// The CoreLocation counterpart is `CLLocationUpdate`.
public struct LocationUpdate: Hashable, Codable, Sendable {
    /// The location; `nil` if the update reports that there is none.
    public let location: Location?

    /// Whether the receiver is known to be stationary; see ``Location/isStationary``.
    public let isStationary: Bool

    /// Whether locations are unavailable, because the receiver has no fix, sends no data or is
    /// missing.
    public let isLocationUnavailable: Bool

    /// Whether locations are unavailable because the program may not open the receiver.
    public let isAuthorizationDenied: Bool

    /// Creates an update, for example for a test.
    public init(
        location: Location?, isStationary: Bool = false, isLocationUnavailable: Bool = false,
        isAuthorizationDenied: Bool = false
    ) {
        self.location = location
        self.isStationary = isStationary
        self.isLocationUnavailable = isLocationUnavailable
        self.isAuthorizationDenied = isAuthorizationDenied
    }
}

extension Location {
    /// Returns the location updates of a receiver. The receiver is open while a loop reads them.
    ///
    /// Each loop receives all updates from its start on. It ends when its task is cancelled, or when
    /// the source ends or is a file that cannot be opened. A recording waits for a slow loop. For a
    /// live receiver, the newest 256 updates are buffered, and `droppedCount` counts those that were
    /// dropped. The CoreLocation counterpart is `CLLocationUpdate.liveUpdates(_:)`.
    public static func liveUpdates(source: any DeviceSource) -> LocationUpdates {
        LocationUpdates { LocationManager(source: source) }
    }

    /// Returns the location updates of several receivers. Each location's
    /// `sourceInformation.source` identifies its receiver. While one of them has a fix, problems of
    /// the others are not reported.
    public static func liveUpdates(sources: [any DeviceSource]) -> LocationUpdates {
        LocationUpdates { LocationManager(sources: sources) }
    }

    /// Returns the location updates of several receivers. Each loop also calls `didReceive` when a
    /// location arrives, even if the loop reads it later, and `didChangeAuthorization` when its
    /// manager's status changes or a receiver is refused. It makes both calls on the thread that
    /// reads the receivers.
    package static func liveUpdates(
        sources: [any DeviceSource],
        didReceive: @escaping @Sendable (Location) -> Void,
        didChangeAuthorization: @escaping @Sendable (AuthorizationStatus) -> Void
    ) -> LocationUpdates {
        LocationUpdates(
            { LocationManager(sources: sources) }, didReceive: didReceive,
            didChangeAuthorization: didChangeAuthorization)
    }

    /// Returns the location updates of the first receiver that is plugged in now or later.
    public static func liveUpdates() -> LocationUpdates {
        liveUpdates(source: .any)
    }

    /// The same as `liveUpdates(source:)`.
    @available(*, deprecated, renamed: "liveUpdates(source:)")
    public static func liveUpdates(from source: any DeviceSource) -> LocationUpdates {
        liveUpdates(source: source)
    }

    /// The same as `liveUpdates(sources:)`.
    @available(*, deprecated, renamed: "liveUpdates(sources:)")
    public static func liveUpdates(from sources: [any DeviceSource]) -> LocationUpdates {
        liveUpdates(sources: sources)
    }
}

// Documented together.
/// The names of CoreLocation's `CLLocationUpdate`.
extension LocationUpdate {
    /// The same as `isStationary`.
    public var stationary: Bool { isStationary }
    /// The same as `isLocationUnavailable`.
    public var locationUnavailable: Bool { isLocationUnavailable }
    /// The same as `isAuthorizationDenied`.
    public var authorizationDenied: Bool { isAuthorizationDenied }

    /// The same as `Location.liveUpdates(source:)`. Default: the first receiver that is plugged in
    /// now or later.
    public static func liveUpdates(source: any DeviceSource = .any) -> LocationUpdates {
        Location.liveUpdates(source: source)
    }
}

/// An asynchronous sequence of location updates. `Location.liveUpdates(source:)` returns it.
public struct LocationUpdates: AsyncSequence, Sendable {
    /// The error type: a loop never throws.
    public typealias Failure = Never

    private let makeManager: @Sendable () -> LocationManager
    private let didReceive: (@Sendable (Location) -> Void)?
    private let didChangeAuthorization: (@Sendable (AuthorizationStatus) -> Void)?
    private let drops = Drops()

    /// Creates a sequence. Each loop calls `makeManager`. Then it calls `didReceive` when a location
    /// arrives, and `didChangeAuthorization` after each change of the manager's status, on the
    /// thread that reads the receiver.
    init(
        _ makeManager: @escaping @Sendable () -> LocationManager,
        didReceive: (@Sendable (Location) -> Void)? = nil,
        didChangeAuthorization: (@Sendable (AuthorizationStatus) -> Void)? = nil
    ) {
        self.makeManager = makeManager
        self.didReceive = didReceive
        self.didChangeAuthorization = didChangeAuthorization
    }

    /// The total number of updates that were dropped because loops were slower than a live
    /// receiver.
    public var droppedCount: Int { drops.total.load(ordering: .relaxed) }

    /// Creates an iterator, and opens the receiver unless it is already open.
    public func makeAsyncIterator() -> Iterator {
        Iterator(makeManager(), drops, didReceive, didChangeAuthorization)
    }

    /// Counts the updates dropped by all loops.
    final class Drops: Sendable {
        let total = Atomic(0)
    }

    /// The iterator of one loop. The receiver stays open until the iterator is released or the loop
    /// ends.
    public struct Iterator: AsyncIteratorProtocol {
        private let manager: LocationManager
        private let drops: Drops
        private let stream: EventStream<LocationUpdate>
        private var updates: EventStream<LocationUpdate>.Iterator
        private var countedDrops = 0

        init(
            _ manager: LocationManager, _ drops: Drops,
            _ didReceive: (@Sendable (Location) -> Void)?,
            _ didChangeAuthorization: (@Sendable (AuthorizationStatus) -> Void)?
        ) {
            self.manager = manager
            self.drops = drops
            let updates = Event<LocationUpdate>(flow: manager.member.flow)
            stream = updates.values()
            self.updates = stream.makeAsyncIterator()
            let proxy = manager.proxy
            proxy.didUpdateLocations.observe { locations in
                for location in locations {
                    didReceive?(location)
                    updates.send(LocationUpdate(location))
                }
            } onCompletion: {
                updates.complete()
            }
            proxy.didFailWithError.observe { [weak manager] error in
                // A file that may not be read ends, without a change of the manager's status.
                if error.code == .denied { didChangeAuthorization?(.denied) }
                // Locations continue if another receiver has a fix. A tty that another program also
                // reads still sends some.
                let hasFix = manager?.state.withLock { $0.hasFix } ?? false
                guard !hasFix, error.cause?.code != .otherReader else { return }
                updates.send(LocationUpdate(error))
            }
            if let didChangeAuthorization {
                proxy.didChangeAuthorization.observe(didChangeAuthorization)
            }
            manager.state.withLock { $0.endsWithFailures = true }
            manager.startUpdatingLocation()
        }

        /// Returns the next update when it arrives; `nil` if the source has ended or the task is
        /// cancelled.
        public mutating func next() async -> LocationUpdate? {
            didRead(await updates.next())
        }

        /// Returns the next update when it arrives; `nil` if the source has ended or the task is
        /// cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> LocationUpdate? {
            didRead(await updates.next(isolation: actor))
        }

        private mutating func didRead(_ update: LocationUpdate?) -> LocationUpdate? {
            // Read once: between two reads, the receiver's thread may drop more updates.
            let count = stream.droppedCount
            drops.total.wrappingAdd(count - countedDrops, ordering: .relaxed)
            countedDrops = count
            if update == nil { manager.stopUpdatingLocation() }
            return update
        }
    }
}

extension LocationUpdate {
    fileprivate init(_ location: Location) {
        self.init(location: location, isStationary: location.isStationary == true)
    }

    fileprivate init(_ error: LocationError) {
        self.init(
            location: nil, isLocationUnavailable: error.code != .denied,
            isAuthorizationDenied: error.code == .denied)
    }
}
