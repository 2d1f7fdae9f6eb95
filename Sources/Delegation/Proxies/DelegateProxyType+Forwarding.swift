// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// The user's delegate, which gets every call the proxy gets.
    public func forwardToDelegate() -> Delegate? {
        base.forwardToDelegate()
    }

    /// Replaces the user's delegate; see `DelegateProxy.setForwardToDelegate(_:retainDelegate:)`.
    public func setForwardToDelegate(_ delegate: Delegate?, retainDelegate: Bool = false) {
        base.setForwardToDelegate(delegate, retainDelegate: retainDelegate)
    }

    /// Makes `delegate` the host's delegate beside all observers, until the subscription is disposed.
    ///
    /// Throws `DelegationError` with `delegateAlreadySet` when the user has set one, which stays, and
    /// what `installedProxy(for:)` throws. Disposing takes away only what this call has installed.
    public static func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool, onProxyFor host: Host
    ) throws(DelegationError) -> Subscription {
        let proxy = try installedProxy(for: host)
        return try proxy.base.installForwardDelegate(delegate, retainDelegate: retainDelegate)
    }

    /// Makes `delegate` the host's delegate, held weakly; otherwise as `installForwardDelegate`.
    public static func setDelegate(
        _ delegate: Delegate, for host: Host
    ) throws(DelegationError) -> Subscription {
        try installForwardDelegate(delegate, retainDelegate: false, onProxyFor: host)
    }

    /// Adds a delegate beside the user's; see `DelegateProxy.addDelegate(_:)`.
    public func addDelegate(_ delegate: Delegate) {
        base.addDelegate(delegate)
    }

    /// Removes a delegate that was added; does nothing with any other.
    public func removeDelegate(_ delegate: Delegate) {
        base.removeDelegate(delegate)
    }

    /// Passes a call on; see `DelegateProxy.relay(_:_:_:)`.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        try base.relay(event, payload, call)
    }

    /// Passes a call on that has an answer; see `DelegateProxy.relay(_:_:default:_:)`.
    @inlinable
    public func relay<Payload, Answer, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Answer,
        _ call: (Delegate) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try base.relay(event, payload, default: try fallback(), call)
    }

    /// Passes an asynchronous call on; see `DelegateProxy.relay(_:_:_:)`.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) async throws(Failure) -> Void
    ) async throws(Failure) {
        try await base.relay(event, payload, call)
    }

    /// Passes an asynchronous call on that has an answer; see `DelegateProxy.relay(_:_:default:_:)`.
    @inlinable
    public func relay<Payload, Answer, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Answer,
        _ call: (Delegate) async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await base.relay(event, payload, default: try fallback(), call)
    }

    /// Passes a call on to a delegate on a queue; see `DelegateProxy.relay(_:_:on:_:)`.
    @inlinable
    public func relay<Payload>(
        _ event: MethodEvent<Payload>, _ payload: Payload, on queue: DeliveryQueue,
        _ call: @escaping @Sendable (Delegate) -> Void
    ) {
        base.relay(event, payload, on: queue, call)
    }
}
