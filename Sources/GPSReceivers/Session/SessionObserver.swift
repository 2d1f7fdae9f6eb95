// SPDX-License-Identifier: MIT
import Delegation
import Synchronization

/// One observer's subscription to a session.
final class SessionObserver: Sendable {
    private enum State {
        /// The observer has not yet received the receiver's current condition, so it gets no
        /// updates.
        case pending
        case open
        /// The session had ended, so the observer has joined a new session with this subscription.
        case renewed(ScopedSubscription)
        case closed
    }

    let member: SessionMember?
    /// The session of the vote that this observer serves; `nil` if it serves none.
    private weak let vote: ReceiverSession?
    private let observer: @Sendable (ReceiverUpdate) -> Void
    private let state = Mutex(State.pending)

    init(
        _ member: SessionMember?, vote: ReceiverSession?,
        _ observer: @escaping @Sendable (ReceiverUpdate) -> Void
    ) {
        self.member = member
        self.vote = vote
        self.observer = observer
    }

    /// The member for which the source must wait: that of this observer, or one that reads the
    /// results of its vote; `nil` if there is none.
    var fullMember: SessionMember? {
        if let member, !member.flow.isClear { return member }
        return vote?.fullMember
    }

    /// Passes updates to the observer from now on.
    func open() { change(to: .open) }

    /// Stores the subscription to a new session, which replaces the session that has ended.
    func renew(_ subscription: ScopedSubscription) { change(to: .renewed(subscription)) }

    /// Ends the subscription: the observer receives no more updates.
    func close() { change(to: .closed) }

    func send(_ update: ReceiverUpdate) {
        if state.withLock({ if case .open = $0 { true } else { false } }) { observer(update) }
    }

    private func change(to new: State) {
        let old = state.withLock { state in
            // The subscription has ended: releasing the new state also ends a new subscription.
            if case .closed = state { return new }
            return exchange(&state, with: new)
        }
        // Release the old subscription outside the lock.
        withExtendedLifetime(old) {}
    }
}
