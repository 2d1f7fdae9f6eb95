// SPDX-License-Identifier: MIT

/// A `MethodEvent` of any payload.
protocol ObservedMethod: Sendable {
    var interests: UInt64 { get }
    var hasObservers: Bool { get }
    func complete()
}

/// One delegate method as two events: before the user's delegate is called, and after.
public final class MethodEvent<Payload: Sendable>: EventSource, ObservedMethod {
    /// The method's name.
    public let name: String
    /// Sends before the delegate is called.
    public let sentMessage: Event<Payload>
    /// Sends after the delegate has been called, or at that time if there is no delegate.
    public let methodInvoked: Event<Payload>
    /// The bits of this method in its protocol's set of interests.
    let interests: UInt64
    /// Whether a full `DeliveryQueue` drops a call of this method only if no other call is left.
    @usableFromInline let isEssential: Bool

    init(
        name: String, interests: UInt64, isEssential: Bool,
        flow: FlowControl? = nil, onObservedChange: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.interests = interests
        self.isEssential = isEssential
        sentMessage = Event(flow: flow) { _ in onObservedChange() }
        methodInvoked = Event(flow: nil) { _ in onObservedChange() }
    }

    /// The route of `sentMessage`.
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
