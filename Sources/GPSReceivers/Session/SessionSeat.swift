// SPDX-License-Identifier: MIT
import Delegation
import Synchronization

/// The place of one observer at a session.
final class SessionSeat: Sendable {
    private enum State {
        /// It has not been sent the receiver's condition yet.
        case awaited
        case open
        /// It has moved to the session that follows.
        case renewed(ScopedSubscription)
        case closed
    }

    let member: SessionMember?
    private let observer: @Sendable (ReceiverUpdate) -> Void
    private let state = Mutex(State.awaited)

    init(_ member: SessionMember?, _ observer: @escaping @Sendable (ReceiverUpdate) -> Void) {
        self.member = member
        self.observer = observer
    }

    /// Sends updates from now on.
    func open() { change(to: .open) }

    /// Moves to another session.
    func renew(_ subscription: ScopedSubscription) { change(to: .renewed(subscription)) }

    /// Sends no more.
    func close() { change(to: .closed) }

    func send(_ update: ReceiverUpdate) {
        if state.withLock({ if case .open = $0 { true } else { false } }) { observer(update) }
    }

    private func change(to new: State) {
        let old = state.withLock { state in
            // It has been left meanwhile.
            if case .closed = state { return new }
            defer { state = new }
            return state
        }
        // A subscription ends without the lock.
        withExtendedLifetime(old) {}
    }
}
