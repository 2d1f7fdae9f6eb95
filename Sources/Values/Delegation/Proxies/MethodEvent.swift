// SPDX-License-Identifier: MIT

/// A `MethodEvent` with any type of payload.
protocol ObservedMethod: Sendable {
    var interests: UInt64 { get }
    var hasObservers: Bool { get }
    func completeSentMessage()
    func completeMethodInvoked()
}

/// Two events for the calls of one delegate method: one before the user's delegate is called, and
/// one afterwards.
public final class MethodEvent<Payload: Sendable>: EventSource, ObservedMethod {
    /// The method's name.
    public let name: String
    /// Sends the arguments of each call before the delegate is called.
    public let sentMessage: Event<Payload>
    /// Sends the arguments of each call after the delegate has been called, even if no delegate is
    /// set.
    public let methodInvoked: Event<Payload>
    /// The bits that stand for this method in `DelegateProxy.interests`.
    let interests: UInt64
    /// Whether a full `DeliveryQueue` drops a call of this method only if all waiting calls are
    /// essential.
    @usableFromInline let isEssential: Bool

    init(
        name: String, interests: UInt64, isEssential: Bool,
        flow: FlowControl? = nil, onObservedChange: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.interests = interests
        self.isEssential = isEssential
        sentMessage = Event(flow: flow) { _ in onObservedChange() }
        methodInvoked = Event(flow: flow) { _ in onObservedChange() }
    }

    /// The route of `sentMessage`, so `subscribe` and `values` use that event.
    public var route: EventRoute<Payload> { sentMessage.route }

    /// Whether either event has observers.
    public var hasObservers: Bool { sentMessage.hasObservers || methodInvoked.hasObservers }

    /// Observes `sentMessage` on the sender's thread; see `Event.observe(_:onCompletion:)`.
    ///
    /// Observers are called before the delegate, so a slow delegate does not delay them.
    @discardableResult
    @inlinable
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        sentMessage.observe(body, onCompletion: onCompletion)
    }

    func completeSentMessage() { sentMessage.complete() }

    func completeMethodInvoked() { methodInvoked.complete() }
}
