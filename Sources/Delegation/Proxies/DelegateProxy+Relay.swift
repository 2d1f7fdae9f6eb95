// SPDX-License-Identifier: MIT

extension DelegateProxy {
    /// Passes a call on: `sentMessage`, the user's delegate and those added, `methodInvoked`.
    ///
    /// Throws what a delegate throws; delegates after it are not called, and `methodInvoked` is sent.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        try callDelegates(call)
    }

    /// Passes a call on that has an answer: the user's delegate's, or `fallback` without one.
    ///
    /// Throws what the delegate throws; `methodInvoked` is sent then, too.
    @inlinable
    public func relay<Payload, Answer, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Answer,
        _ call: (Delegate) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        guard let delegate = forwardToDelegate() else { return try fallback() }
        return try call(delegate)
    }

    /// Passes an asynchronous call on: `sentMessage`, one delegate after the other, `methodInvoked`.
    ///
    /// Throws what a delegate throws; delegates after it are not called, and `methodInvoked` is sent.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) async throws(Failure) -> Void
    ) async throws(Failure) {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        let delegate = forwardToDelegate()
        if let delegate { try await call(delegate) }
        try await additional.forEach { other async throws(Failure) in
            if let delegate, other as AnyObject === delegate as AnyObject { return }
            try await call(other)
        }
    }

    /// Passes an asynchronous call on that has an answer: the user's delegate's, or `fallback`
    /// without one.
    ///
    /// Throws what the delegate throws; `methodInvoked` is sent then, too.
    @inlinable
    public func relay<Payload, Answer, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Answer,
        _ call: (Delegate) async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        guard let delegate = forwardToDelegate() else { return try fallback() }
        return try await call(delegate)
    }

    /// Passes a call on to a delegate that is called on `queue`.
    ///
    /// `sentMessage` is sent at once, on the producer's thread, so a slow delegate doesn't delay its observers.
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
    func callDelegates<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        if additional.isOccupied {
            try callEveryDelegate(call)
        } else if let delegate = forwardToDelegate() {
            try call(delegate)
        }
    }

    // Apart, so that the usual case is small enough to be inlined: a call costs 20 ns less then.
    @usableFromInline
    func callEveryDelegate<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        let delegate = forwardToDelegate()
        if let delegate { try call(delegate) }
        try additional.forEach { other throws(Failure) in
            if let delegate, other as AnyObject === delegate as AnyObject { return }
            try call(other)
        }
    }
}
