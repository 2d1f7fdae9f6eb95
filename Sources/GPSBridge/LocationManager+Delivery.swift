// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Synchronization

/// Calls of delegates: where they run, and which come too late.
extension LocationManager {
    /// Changes with every stop, so that what was under way before can be told from what came after.
    var currentRun: Int { state.withLock { $0.run } }

    /// Calls a delegate from the manager's queue: there, or on the main queue if it is on the main
    /// actor. A call of a run that has been stopped since is left out.
    func deliver(
        to delegate: any LocationManagerDelegate, ofRun run: Int? = nil, essential: Bool = false,
        _ call: @escaping @Sendable (any LocationManagerDelegate, LocationManager) -> Void
    ) {
        guard isCurrent(run) else { return }
        guard isOnMainActor(delegate) else { return call(delegate, self) }
        // Delegate and manager are held weakly: a program may never get to its main queue.
        // Safety: a weak reference that never changes, read on the main queue only.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        mainDeliveries.enqueue(essential: essential) { [weak self] in
            guard let self, isCurrent(run), let delegate = object as? any LocationManagerDelegate,
                proxy.base.calls(delegate)
            else { return }
            call(delegate, self)
        }
    }

    private func isCurrent(_ run: Int?) -> Bool { run == nil || run == currentRun }
}

/// Whether a delegate's conformance is isolated to the main actor, asked off the main thread.
///
/// On the main thread the answer is false, which is right there too: the delegate may be called
/// without a detour.
private func isOnMainActor(_ delegate: any LocationManagerDelegate) -> Bool {
    // Such a conformance is not found by a generic cast on other threads (SE-0470).
    func conforms<T>(_ object: AnyObject, to type: T.Type) -> Bool { object is T }
    return !conforms(delegate, to: (any LocationManagerDelegate).self)
}
