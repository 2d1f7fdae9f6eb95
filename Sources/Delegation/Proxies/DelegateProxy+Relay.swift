// SPDX-License-Identifier: MIT

extension DelegateProxy {
    /// Passes one call on: `sentMessage`, then the user's delegate, then `methodInvoked`.
    @inlinable
    public func relay<Payload>(
        _ event: MethodEvent<Payload>, _ payload: Payload, _ call: (Delegate) -> Void
    ) {
        event.sentMessage.send(payload)
        if let delegate = forwardToDelegate() { call(delegate) }
        event.methodInvoked.send(payload)
    }

    /// Passes a call on that has an answer: the user's delegate's, or `fallback` without one.
    @inlinable
    public func relay<Payload, Answer>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () -> Answer, _ call: (Delegate) -> Answer
    ) -> Answer {
        event.sentMessage.send(payload)
        let answer = forwardToDelegate().map(call) ?? fallback()
        event.methodInvoked.send(payload)
        return answer
    }

    /// Passes a call on to a delegate that is called on `queue`.
    ///
    /// `sentMessage` is sent at once, on the producer's thread, so a slow delegate holds nobody up.
    /// The delegate that is set when the call's turn comes gets it, and then `methodInvoked` is
    /// sent, on the queue. A call the queue had to drop is counted there and reaches neither.
    @inlinable
    public func relay<Payload>(
        _ event: MethodEvent<Payload>, _ payload: Payload, on queue: DeliveryQueue,
        _ call: @escaping @Sendable (Delegate) -> Void
    ) {
        event.sentMessage.send(payload)
        guard hasForwardDelegate || event.methodInvoked.hasObservers else { return }
        queue.enqueue(essential: event.isEssential) { [self] in
            if let delegate = forwardToDelegate() { call(delegate) }
            event.methodInvoked.send(payload)
        }
    }
}
