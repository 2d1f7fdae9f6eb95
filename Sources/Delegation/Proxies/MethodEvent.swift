// SPDX-License-Identifier: MIT

/// One delegate method as two events: before the user's delegate is called, and after.
public final class MethodEvent<Payload: Sendable>: EventSource {
    /// The method's name.
    public let name: String
    /// Sends before the delegate is called.
    public let sentMessage: Event<Payload>
    /// Sends after the delegate has been called, or would have been.
    public let methodInvoked: Event<Payload>
    /// The bits this method has in its protocol's set of interests.
    let interests: UInt64
    /// Whether a call on a full `DeliveryQueue` gives way only when nothing else is left to drop.
    @usableFromInline let isEssential: Bool

    init(
        name: String, interests: UInt64, isEssential: Bool,
        flow: FlowControl? = nil, onEdge: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.interests = interests
        self.isEssential = isEssential
        sentMessage = Event(flow: flow, onEdge: { _ in onEdge() })
        methodInvoked = Event(flow: nil, onEdge: { _ in onEdge() })
    }

    /// The way of `sentMessage`.
    public var route: EventRoute<Payload> { sentMessage.route }

    /// Whether either event has observers.
    public var hasObservers: Bool { sentMessage.hasObservers || methodInvoked.hasObservers }

    /// Observes `sentMessage` on the sender's thread; see `Event.observe(_:onCompletion:)`.
    ///
    /// Its observers are called before the delegate, so a slow delegate doesn't delay them.
    @discardableResult
    @inlinable
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        sentMessage.observe(body, onCompletion: onCompletion)
    }

    func complete() {
        sentMessage.complete()
        methodInvoked.complete()
    }
}
