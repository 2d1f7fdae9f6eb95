// SPDX-License-Identifier: MIT

/// An event that an object reports. It completes when the object is deallocated.
///
/// Subscribers are called on the executor that was selected when the control event was created.
public struct ControlEvent<Payload: Sendable>: EventSource {
    /// A route that calls subscribers on the executor of the control event.
    public let route: EventRoute<Payload>

    /// Creates a control event that calls subscribers of `event` on `executor`.
    ///
    /// It does not keep `event` alive. So if an object owns the event, both complete when the
    /// object is deallocated.
    public init(_ event: Event<Payload>, on executor: some CallbackExecutor) {
        self.init(event.route(on: executor))
    }

    init(_ route: EventRoute<Payload>) { self.route = route }

    /// Attaches an observer that is called on the sender's thread, not on the executor of the
    /// control event.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        route.connect(body, onCompletion)
    }
}
