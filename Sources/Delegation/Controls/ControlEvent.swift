// SPDX-License-Identifier: MIT

/// Something an object's user does, or that happens to it: no initial value, never a failure, and
/// over when its owner goes away.
///
/// Observers are called on the executor the owner chose.
public struct ControlEvent<Payload: Sendable>: EventSource {
    private let source: ValueSource<Payload>
    let executor: any CallbackExecutor

    /// Creates the public face of an event that its owner sends, delivered on `executor`.
    ///
    /// The event is not kept alive: it completes with its owner.
    public init(_ event: Event<Payload>, on executor: some CallbackExecutor) {
        self.init(ValueSource(event), on: executor)
    }

    init(_ source: ValueSource<Payload>, on executor: any CallbackExecutor) {
        self.source = source
        self.executor = executor
    }

    /// Attaches an observer on the owner's executor, which stays until it is disposed or the owner is gone.
    @discardableResult
    public func subscribe(
        buffering policy: BufferingPolicy = .newest(256),
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        DeliveryQueue(on: executor, buffering: policy)
            .subscription(body, onCompletion: onCompletion, connect: source.connect)
    }

    /// Attaches an observer that is called on the sender's thread, not on the owner's executor.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        source.connect(body, onCompletion)
    }

    /// A stream of what happens from now on; see `Event.values(buffering:)`.
    public func values(buffering policy: BufferingPolicy = .newest(256)) -> EventStream<Payload> {
        EventStream(buffering: policy, connect: source.connect)
    }
}
