// SPDX-License-Identifier: MIT
import Delegation
import Synchronization

/// The subscription of one observer to a session.
final class SessionObserver: Sendable {
    private enum State {
        /// The observer has not received the receiver's condition yet.
        case pending
        case open
        /// The observer has moved to a newer session.
        case renewed(ScopedSubscription)
        case closed
    }

    let member: SessionMember?
    private let observer: @Sendable (ReceiverUpdate) -> Void
    private let state = Mutex(State.pending)

    init(_ member: SessionMember?, _ observer: @escaping @Sendable (ReceiverUpdate) -> Void) {
        self.member = member
        self.observer = observer
    }

    /// Starts sending updates.
    func open() { change(to: .open) }

    /// Moves the observer to another session.
    func renew(_ subscription: ScopedSubscription) { change(to: .renewed(subscription)) }

    /// Stops sending updates.
    func close() { change(to: .closed) }

    func send(_ update: ReceiverUpdate) {
        if state.withLock({ if case .open = $0 { true } else { false } }) { observer(update) }
    }

    private func change(to new: State) {
        let old = state.withLock { state in
            // The subscription has been cancelled.
            if case .closed = state { return new }
            defer { state = new }
            return state
        }
        // Release the old subscription without the lock.
        withExtendedLifetime(old) {}
    }
}
