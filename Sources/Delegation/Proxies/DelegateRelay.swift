// SPDX-License-Identifier: MIT

/// What passes a delegate's calls on: a proxy, and the base that it is made with.
public protocol DelegateRelay<Host, Delegate>: AnyObject, Sendable {
    /// The class that has the delegate.
    associatedtype Host: AnyObject
    /// The delegate's type, `any SomeDelegate`.
    associatedtype Delegate

    /// What the proxy was made with.
    var base: DelegateProxy<Host, Delegate> { get }
}

extension DelegateRelay {
    /// The user's delegate, which gets every call the proxy gets.
    @inlinable
    public func forwardToDelegate() -> Delegate? {
        base.slot.delegate
    }

    /// Replaces the user's delegate; observers are not affected.
    ///
    /// The delegate is held weakly unless `retainDelegate` is true.
    public func setForwardToDelegate(_ delegate: Delegate?, retainDelegate: Bool = false) {
        base.slot.set(delegate, retained: retainDelegate)
        base.refresh()
    }

    /// Adds a delegate that gets every call after the user's delegate, in the order of adding.
    ///
    /// It is held weakly. Adding it twice, or the user's delegate, doesn't make it be called twice.
    /// Methods that answer ask the user's delegate only.
    public func addDelegate(_ delegate: Delegate) {
        base.additional.add(delegate)
        base.refresh()
    }

    /// Removes a delegate that was added; does nothing with any other.
    public func removeDelegate(_ delegate: Delegate) {
        base.additional.remove(delegate)
        base.refresh()
    }

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
        try base.callDelegates(call)
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
        try await base.additional.forEach { other async throws(Failure) in
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
        guard base.hasDelegates || event.methodInvoked.hasObservers else { return }
        queue.enqueue(essential: event.isEssential) { [base] in
            base.callDelegates(call)
            event.methodInvoked.send(payload)
        }
    }
}
