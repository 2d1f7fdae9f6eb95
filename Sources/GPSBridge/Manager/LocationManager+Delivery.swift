// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Synchronization

/// Delivery of delegate calls: on the right queue, and not after a stop.
extension LocationManager {
    /// Returns the current run of updates; each stop begins a new run.
    func currentRun(of updates: UpdateRun.Updates) -> UpdateRun {
        state.withLock { $0.run(of: updates) }
    }

    /// Calls a delegate from the manager's queue: on that queue, or on the main queue if the
    /// delegate is on the main actor. Drops the call if its run has been stopped.
    func deliver(
        to delegate: any LocationManagerDelegate, ofRun run: UpdateRun? = nil,
        essential: Bool = false,
        _ call: @escaping @Sendable (any LocationManagerDelegate, LocationManager) -> Void
    ) {
        guard isCurrent(run) else { return }
        guard isIsolated(delegate) else { return call(delegate, self) }
        // Delegate and manager are held weakly, since the main queue may never run.
        // Safety: a weak reference that never changes, read on the main queue only.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        mainDeliveries.enqueue(essential: essential) { [weak self] in
            guard let self, isCurrent(run), let delegate = object as? any LocationManagerDelegate,
                proxy.base.hasDelegate(delegate)
            else { return }
            call(delegate, self)
        }
    }

    /// Stops the program if a delegate is isolated to a global actor other than the main actor,
    /// since it cannot be called there.
    func checkIsolation(of delegate: any LocationManagerDelegate) {
        guard isIsolated(delegate) else { return }
        // Safety: as above.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        // A cast finds a conformance isolated to the main actor only in a task on that actor.
        Task { @MainActor in
            guard let delegate = object as? any LocationManagerDelegate else { return }
            precondition(
                !isIsolated(delegate),
                """
                \(type(of: delegate)) is a LocationManagerDelegate on a global actor that is not \
                the main actor; adopt the protocol on the main actor, or nonisolated
                """)
        }
    }

    /// Returns whether a call may be delivered: it belongs to no run, or its run has not been
    /// stopped.
    func isCurrent(_ run: UpdateRun?) -> Bool {
        run.map { run in state.withLock { $0.isCurrent(run) } } ?? true
    }
}

/// Returns whether a delegate's conformance is isolated to a global actor. Call it outside that
/// actor.
///
/// On the main thread the result is `false` for the main actor; the delegate can then be called
/// directly.
private func isIsolated(_ delegate: any LocationManagerDelegate) -> Bool {
    // A generic cast on another thread does not find such a conformance (SE-0470).
    func conforms<T>(_ object: AnyObject, to type: T.Type) -> Bool { object is T }
    return !conforms(delegate, to: (any LocationManagerDelegate).self)
}
