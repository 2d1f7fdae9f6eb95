// SPDX-License-Identifier: MIT

/// An event of an object that has no initial value, never fails and completes with the object.
///
/// Subscribers are called on the executor that the object's owner chose.
public struct ControlEvent<Payload: Sendable>: EventSource {
    /// The route to subscribers on the owner's executor.
    public let route: EventRoute<Payload>

    /// Creates a control event for an event that its owner sends; delivers it on `executor`.
    ///
    /// The event is not kept alive, so it completes with its owner.
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
