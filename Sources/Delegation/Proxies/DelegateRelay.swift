// SPDX-License-Identifier: MIT

/// A type that relays delegate calls: a proxy and its base.
public protocol DelegateRelay<Host, Delegate>: AnyObject, Sendable {
    /// The class with the delegate.
    associatedtype Host: AnyObject
    /// The delegate's type, `any SomeDelegate`.
    associatedtype Delegate

    /// The base that the proxy was created with.
    var base: DelegateProxy<Host, Delegate> { get }
}

extension DelegateRelay {
    /// The user's delegate, which receives every call that the proxy receives.
    @inlinable
    public func forwardToDelegate() -> Delegate? {
        base.forwardSlot.delegate
    }

    /// Replaces the user's delegate; observers are not affected.
    ///
    /// The delegate is held weakly unless `retainDelegate` is true.
    public func setForwardToDelegate(_ delegate: Delegate?, retainDelegate: Bool = false) {
        base.forwardSlot.set(delegate, retained: retainDelegate)
        base.refresh()
    }

    /// Adds a delegate that is called after the user's delegate, in the order of adding.
    ///
    /// It is held weakly, and called once even if it is added twice or is the user's delegate.
    /// Methods that return a value call the user's delegate only.
    public func addDelegate(_ delegate: Delegate) {
        base.additional.add(delegate)
        base.refresh()
    }

    /// Removes an added delegate; does nothing with any other.
    public func removeDelegate(_ delegate: Delegate) {
        base.additional.remove(delegate)
        base.refresh()
    }

    /// Relays a call: sends `sentMessage`, calls the delegates, then sends `methodInvoked`.
    ///
    /// Rethrows the first error of a delegate; later delegates are not called, but `methodInvoked`
    /// is sent.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        try base.callDelegates(call)
    }

    /// Relays a call and returns the result of the user's delegate, or `fallback` if there is none.
    ///
    /// Rethrows the delegate's error; `methodInvoked` is sent in any case.
    @inlinable
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Result,
        _ call: (Delegate) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        guard let delegate = forwardToDelegate() else { return try fallback() }
        return try call(delegate)
    }

    /// Relays an asynchronous call: sends `sentMessage`, calls one delegate after the other, then
    /// sends `methodInvoked`.
    ///
    /// Rethrows the first error of a delegate; later delegates are not called, but `methodInvoked`
    /// is sent.
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

    /// Relays an asynchronous call and returns the result of the user's delegate, or `fallback` if
    /// there is none.
    ///
    /// Rethrows the delegate's error; `methodInvoked` is sent in any case.
    @inlinable
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Result,
        _ call: (Delegate) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        guard let delegate = forwardToDelegate() else { return try fallback() }
        return try await call(delegate)
    }

    /// Relays a call to delegates that are called on `queue`.
    ///
    /// `sentMessage` is sent at once, on this thread, so a slow delegate doesn't delay its observers.
    /// When the queue runs the call, it calls the delegates that are set then and sends
    /// `methodInvoked`. A call that the queue drops is counted there and reaches neither.
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
