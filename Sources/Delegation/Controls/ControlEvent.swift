// SPDX-License-Identifier: MIT

/// Something an object's user does, or that happens to it: no initial value, never a failure, and
/// over when its owner goes away.
///
/// Subscribers are called on the executor the owner chose.
public struct ControlEvent<Payload: Sendable>: EventSource {
    /// The way to subscribers on the owner's executor.
    public let route: EventRoute<Payload>

    /// Creates the public face of an event that its owner sends, delivered on `executor`.
    ///
    /// The event is not kept alive: it completes with its owner.
    public init(_ event: Event<Payload>, on executor: some CallbackExecutor) {
        self.init(event.route(on: executor))
    }

    init(_ route: EventRoute<Payload>) { self.route = route }

    /// Attaches an observer that is called on the sender's thread, not on the owner's executor.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        route.connect(body, onCompletion)
    }
}
