// SPDX-License-Identifier: MIT
import Delegation
import Synchronization

/// Live updates; see `Location.liveUpdates()`.
public struct LocationUpdates: AsyncSequence, Sendable {
    /// A loop never throws.
    public typealias Failure = Never

    private let makeManager: @Sendable () -> LocationManager

    init(_ makeManager: @escaping @Sendable () -> LocationManager) {
        self.makeManager = makeManager
    }

    /// Opens the receiver, unless somebody else has it open.
    public func makeAsyncIterator() -> Iterator {
        Iterator(makeManager())
    }

    /// One consumer; the receiver is its as long as the iterator is there.
    public struct Iterator: AsyncIteratorProtocol {
        private let manager: LocationManager
        private var updates: EventStream<LocationUpdate>.Iterator

        init(_ manager: LocationManager) {
            self.manager = manager
            let updates = Event<LocationUpdate>()
            self.updates = updates.values().makeAsyncIterator()
            let stationary = Mutex(StationaryDetector())
            let proxy = manager.proxy
            proxy.didUpdateLocations.observe { locations in
                for location in locations {
                    let isStationary = stationary.withLock { $0.isStationary(after: location) }
                    updates.send(LocationUpdate(location, isStationary: isStationary))
                }
            } onCompletion: {
                updates.complete()
            }
            proxy.didFailWithError.observe { updates.send(LocationUpdate($0)) }
            manager.startUpdatingLocation()
        }

        /// Waits for the next update; `nil` once the source has ended or the task is cancelled.
        public mutating func next() async -> LocationUpdate? {
            let update = await updates.next()
            if update == nil { manager.stopUpdatingLocation() }
            return update
        }

        /// Waits for the next update; `nil` once the source has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> LocationUpdate? {
            let update = await updates.next(isolation: actor)
            if update == nil { manager.stopUpdatingLocation() }
            return update
        }
    }
}

extension LocationUpdate {
    fileprivate init(_ location: Location, isStationary: Bool) {
        self.init(
            location: location, isStationary: isStationary, isLocationUnavailable: false,
            isAuthorizationDenied: false)
    }

    fileprivate init(_ error: LocationError) {
        self.init(
            location: nil, isStationary: false,
            isLocationUnavailable: error.code != .denied,
            isAuthorizationDenied: error.code == .denied)
    }
}
