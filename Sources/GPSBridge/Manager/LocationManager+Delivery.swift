// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Synchronization

/// Calls of delegates: where they run, and which come too late.
extension LocationManager {
    /// The run of updates now, which changes with every stop.
    func currentRun(of updates: UpdateRun.Updates) -> UpdateRun {
        state.withLock { $0.run(of: updates) }
    }

    /// Calls a delegate from the manager's queue: there, or on the main queue if it is on the main
    /// actor. A call of a run that has been stopped since is left out.
    func deliver(
        to delegate: any LocationManagerDelegate, ofRun run: UpdateRun? = nil,
        essential: Bool = false,
        _ call: @escaping @Sendable (any LocationManagerDelegate, LocationManager) -> Void
    ) {
        guard isCurrent(run) else { return }
        guard isIsolated(delegate) else { return call(delegate, self) }
        // Delegate and manager are held weakly: a program may never get to its main queue.
        // Safety: a weak reference that never changes, read on the main queue only.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        mainDeliveries.enqueue(essential: essential) { [weak self] in
            guard let self, isCurrent(run), let delegate = object as? any LocationManagerDelegate,
                proxy.base.hasDelegate(delegate)
            else { return }
            call(delegate, self)
        }
    }

    /// Stops the program if a delegate is on another global actor than the main actor, whose executor
    /// cannot be used to call it.
    func checkIsolation(of delegate: any LocationManagerDelegate) {
        guard isIsolated(delegate) else { return }
        // Safety: as above.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        // Only a task on the main actor finds a conformance that is isolated to it.
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

    /// Whether a call is independent of runs, or its run has not been stopped.
    func isCurrent(_ run: UpdateRun?) -> Bool {
        run.map { run in state.withLock { $0.isCurrent(run) } } ?? true
    }
}

/// Whether a delegate's conformance is isolated to a global actor, asked off that actor.
///
/// On the main thread the answer is false for the main actor, which is right there too: the delegate
/// may be called without a detour.
private func isIsolated(_ delegate: any LocationManagerDelegate) -> Bool {
    // Such a conformance is not found by a generic cast on other threads (SE-0470).
    func conforms<T>(_ object: AnyObject, to type: T.Type) -> Bool { object is T }
    return !conforms(delegate, to: (any LocationManagerDelegate).self)
}
