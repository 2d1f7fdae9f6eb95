// SPDX-License-Identifier: MIT
import Delegation
import Synchronization

/// Calls delegates on the correct queue, and drops calls whose updates have been stopped.
extension LocationManager {
    /// Returns the current run of the given kind of updates. A run lasts until the updates are
    /// stopped.
    func currentRun(of updates: UpdateRun.Updates) -> UpdateRun {
        state.withLock { $0.run(of: updates) }
    }

    /// Calls a delegate: immediately or, if it is on the main actor, on the main queue. Drops the
    /// call if the updates of `run` have been stopped. Must be called on the manager's queue.
    func deliver(
        to delegate: any LocationManagerDelegate, ofRun run: UpdateRun? = nil,
        essential: Bool = false,
        _ call: @escaping @Sendable (any LocationManagerDelegate, LocationManager) -> Void
    ) {
        guard isCurrent(run) else { return }
        guard isIsolated(delegate) else { return call(delegate, self) }
        if !checkedDelegates.contains(delegate) {
            checkedDelegates.add(delegate)
            checkIsolation(of: delegate)
        }
        // References to the delegate and the manager are weak, because the main queue may never
        // run.
        // Safety: a weak reference that never changes, read on the main queue only.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        mainDeliveries.enqueue(essential: essential) { [weak self] in
            guard let self, isCurrent(run), let delegate = object as? any LocationManagerDelegate,
                proxy.base.hasDelegate(delegate)
            else { return }
            call(delegate, self)
        }
    }

    /// Stops the program if a delegate that is isolated to a global actor is not isolated to the
    /// main actor. The manager cannot call such a delegate.
    private func checkIsolation(of delegate: any LocationManagerDelegate) {
        // Safety: a weak reference that never changes, read on the main actor only.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        // A cast to a protocol whose conformance is isolated to the main actor succeeds only in a
        // task on that actor.
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

    /// Returns whether a call may be delivered: its run has not been stopped, or it has no run.
    func isCurrent(_ run: UpdateRun?) -> Bool {
        run.map { run in state.withLock { $0.isCurrent(run) } } ?? true
    }
}

/// Returns whether a delegate's conformance is isolated to a global actor. Must be called outside
/// that actor.
///
/// On the main thread, the result is `false` for the main actor; the delegate can then be called
/// directly.
private func isIsolated(_ delegate: any LocationManagerDelegate) -> Bool {
    // A generic cast on another thread fails for an isolated conformance (SE-0470).
    func conforms<T>(_ object: AnyObject, to type: T.Type) -> Bool { object is T }
    return !conforms(delegate, to: (any LocationManagerDelegate).self)
}
