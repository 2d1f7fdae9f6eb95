// SPDX-License-Identifier: MIT

/// A class that relays delegate calls: a proxy, or the base of a proxy.
public protocol DelegateRelay<Host, Delegate>: AnyObject, Sendable {
    /// The class whose delegate calls are relayed.
    associatedtype Host: AnyObject
    /// The delegate's type, `any SomeDelegate`.
    associatedtype Delegate

    /// The base, which has the proxy's delegates and events.
    var base: DelegateProxy<Host, Delegate> { get }
}

extension DelegateRelay {
    /// Returns the user's delegate, which receives every call that the proxy receives; `nil` if
    /// none is set.
    @inlinable
    public func forwardToDelegate() -> Delegate? {
        base.forwardSlot.delegate
    }

    /// Replaces the user's delegate. Observers stay attached.
    ///
    /// The delegate is held weakly unless `retainDelegate` is `true`. This proxy, and a proxy whose
    /// user's delegate it is, are ignored, because a call would never return.
    public func setForwardToDelegate(_ delegate: Delegate?, retainDelegate: Bool = false) {
        guard !isReached(from: delegate) else { return }
        base.forwardSlot.set(delegate, retained: retainDelegate)
        base.refresh()
    }

    /// Adds a delegate that is called after the user's delegate and after the delegates added
    /// before.
    ///
    /// It is held weakly. It receives each call only once, even if it is added twice or is also the
    /// user's delegate. Calls that return a value are relayed only to the user's delegate. This
    /// proxy, and a proxy whose user's delegate it is, are ignored.
    public func addDelegate(_ delegate: Delegate) {
        guard !isReached(from: delegate) else { return }
        base.additional.add(delegate)
        base.refresh()
    }

    /// Removes a delegate added with `addDelegate(_:)`. Does nothing for any other object.
    public func removeDelegate(_ delegate: Delegate) {
        base.additional.remove(delegate)
        base.refresh()
    }

    /// Relays a call: sends the event's `sentMessage`, calls the delegates, then sends
    /// `methodInvoked`.
    ///
    /// If a delegate throws an error, later delegates are not called, `methodInvoked` is sent, and
    /// the error is rethrown.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        try base.callDelegates(call)
    }

    /// Relays a call to the user's delegate only, and returns its result. Returns `fallback` if no
    /// delegate is set.
    ///
    /// Rethrows the delegate's error. `methodInvoked` is sent in any case. Use it for a completion
    /// handler, too, so that the handler is called once:
    ///
    ///     relay(willOpen, page, default: decide(true)) { $0.willOpen(page, decide: decide) }
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

    /// Relays an asynchronous call: sends the event's `sentMessage`, calls one delegate after the
    /// other, then sends `methodInvoked`.
    ///
    /// If a delegate throws an error, later delegates are not called, `methodInvoked` is sent, and
    /// the error is rethrown.
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

    /// Relays an asynchronous call to the user's delegate only, and returns its result. Returns
    /// `fallback` if no delegate is set.
    ///
    /// Rethrows the delegate's error. `methodInvoked` is sent in any case.
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
    /// `sentMessage` is sent at once, on this thread, so a slow delegate does not delay its
    /// observers. When the queue runs the call, the delegates that are set at that time are called,
    /// and `methodInvoked` is sent. If the queue is full and drops the call, neither happens; the
    /// queue's `droppedCount` includes the call.
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

extension DelegateRelay {
    /// Returns whether `delegate` is this proxy, or a proxy that forwards calls to it.
    func isReached(from delegate: Delegate?) -> Bool {
        guard let delegate, let proxy = delegate as AnyObject as? any DelegateRelay else {
            return false
        }
        return proxy.hasBase(base) || isReached(from: proxy.forwardToDelegate() as? Delegate)
    }

    private func hasBase(_ other: AnyObject) -> Bool { base === other }
}

// With these two methods, the compiler reports the missing argument. Without them, it reports
// "cannot convert return expression of type '()'".
extension DelegateRelay {
    /// Not available: a method that returns a value needs the argument `default:`.
    @available(*, unavailable, message: "add 'default: …', the result if no delegate is set")
    @_disfavoredOverload
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        preconditionFailure("unavailable")
    }

    /// Not available: a method that returns a value needs the argument `default:`.
    @available(*, unavailable, message: "add 'default: …', the result if no delegate is set")
    @_disfavoredOverload
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        preconditionFailure("unavailable")
    }
}
