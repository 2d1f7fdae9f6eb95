// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import Synchronization

/// The monitored regions of a manager with its own receiver, or of all other managers together.
///
/// Regions that are removed or replaced are released outside the lock, because the deinit of a
/// program's subclass may use a manager.
final class RegionStore: Sendable {
    /// The maximum number of monitored regions.
    static let maximumCount = 20
    /// The maximum radius of a region in metres.
    static let maximumRadius = 1_000_000.0

    private struct State: Sendable {
        var circles: CircleMonitor?
        var monitored: [String: CLRegion] = [:]
        /// The regions whose state was requested but has not been reported yet.
        var asked: [CircleMonitor.Request: CLRegion] = [:]
    }

    private let state = Mutex(State())
    private let source: (any DeviceSource)?
    private let queue: DispatchQueue
    private let onChange: @Sendable (CircleMonitor.Change) -> Void

    /// Creates a store without regions. It calls `onChange` on `queue`. If `source` is `nil`, it
    /// reads the configured receiver.
    init(
        source: (any DeviceSource)?, queue: DispatchQueue,
        onChange: @escaping @Sendable (CircleMonitor.Change) -> Void
    ) {
        self.source = source
        self.queue = queue
        self.onChange = onChange
    }

    /// The monitored regions.
    var monitored: Set<CLRegion> { Set(state.withLock { $0.monitored }.values) }

    /// Returns the monitored region with an identifier; `nil` if there is none.
    func region(_ identifier: String) -> CLRegion? { state.withLock { $0.monitored[identifier] } }

    /// The last location received to monitor circles; `nil` if none has been received.
    var location: Location? { state.withLock { $0.circles }?.location }

    /// The circle monitor. It is created when it is first needed.
    var circles: CircleMonitor {
        state.withLock { state in
            if let circles = state.circles { return circles }
            let circles = CircleMonitor(source: source, queue: queue, onChange: onChange)
            state.circles = circles
            return circles
        }
    }

    /// Adds a region, or replaces the region with the same identifier. Returns `false` if
    /// `maximumCount` other regions are monitored.
    func insert(_ region: CLRegion) -> Bool {
        let identifier = region.identifier
        let (isInserted, replaced) = state.withLock { state -> (Bool, CLRegion?) in
            guard
                state.monitored[identifier] != nil || state.monitored.count < Self.maximumCount
            else { return (false, nil) }
            return (true, state.monitored.updateValue(region, forKey: identifier))
        }
        withExtendedLifetime(replaced) {}
        return isInserted
    }

    /// Stops monitoring a region. If its state was requested but is not known yet, the request is
    /// still answered.
    func remove(_ identifier: String) {
        let (removed, circles) = state.withLock { state in
            (state.monitored.removeValue(forKey: identifier), state.circles)
        }
        withExtendedLifetime(removed) {}
        circles?.remove(identifier)
    }

    // MARK: Requests for states

    /// Stores a request for the state of a region.
    func store(_ request: CircleMonitor.Request, for region: CLRegion) {
        let replaced = state.withLock { $0.asked.updateValue(region, forKey: request) }
        withExtendedLifetime(replaced) {}
    }

    /// Removes a request. Returns its region, or `nil` if the request is not stored.
    func take(_ request: CircleMonitor.Request) -> CLRegion? {
        state.withLock { $0.asked.removeValue(forKey: request) }
    }

    /// Removes all requests of a requester, so that the receiver does not stay open for them.
    func removeRequests(of requester: ObjectIdentifier) {
        let (removed, circles) = state.withLock { state in
            let others = state.asked.filter { $0.key.requester != requester }
            return (exchange(&state.asked, with: others), state.circles)
        }
        withExtendedLifetime(removed) {}
        circles?.removeRequests(of: requester)
    }
}
