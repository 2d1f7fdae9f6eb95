// SPDX-License-Identifier: MIT

extension DelegateProxy {
    /// Passes one call on: `sentMessage`, the user's delegate and those added, `methodInvoked`.
    @inlinable
    public func relay<Payload>(
        _ event: MethodEvent<Payload>, _ payload: Payload, _ call: (Delegate) -> Void
    ) {
        event.sentMessage.send(payload)
        callDelegates(call)
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
    /// The delegates that are set when the call's turn comes get it, and then `methodInvoked` is
    /// sent, on the queue. A call the queue had to drop is counted there and reaches neither.
    @inlinable
    public func relay<Payload>(
        _ event: MethodEvent<Payload>, _ payload: Payload, on queue: DeliveryQueue,
        _ call: @escaping @Sendable (Delegate) -> Void
    ) {
        event.sentMessage.send(payload)
        guard hasDelegates || event.methodInvoked.hasObservers else { return }
        queue.enqueue(essential: event.isEssential) { [self] in
            callDelegates(call)
            event.methodInvoked.send(payload)
        }
    }

    /// Calls the user's delegate and those that were added.
    @inlinable @inline(__always)
    func callDelegates(_ call: (Delegate) -> Void) {
        if additional.isOccupied {
            callEveryDelegate(call)
        } else if let delegate = forwardToDelegate() {
            call(delegate)
        }
    }

    // Apart, so that the usual case is small enough to be inlined: a call costs 20 ns less then.
    @usableFromInline
    func callEveryDelegate(_ call: (Delegate) -> Void) {
        let delegate = forwardToDelegate()
        if let delegate { call(delegate) }
        additional.forEach { other in
            if let delegate, other as AnyObject === delegate as AnyObject { return }
            call(other)
        }
    }
}
