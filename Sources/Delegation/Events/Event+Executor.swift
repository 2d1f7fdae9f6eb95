// SPDX-License-Identifier: MIT

extension Event {
    /// Attaches an observer that is called on `executor`, in order and one call at a time.
    ///
    /// The sender doesn't wait; an observer that lags keeps what `policy` says. `onCompletion`
    /// always arrives, after the values. Nothing that still waits is delivered after `dispose()`.
    @discardableResult
    public func subscribe(
        on executor: some CallbackExecutor, buffering policy: BufferingPolicy = .newest(256),
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        Self.hop(to: executor, buffering: policy, body, onCompletion: onCompletion) {
            subscribe($0, onCompletion: $1)
        }
    }

    /// Puts a queue between what `connect` subscribes to and its observer.
    static func hop(
        to executor: any CallbackExecutor, buffering policy: BufferingPolicy,
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void,
        connect: (
            @escaping @Sendable (Payload) -> Void, @escaping @Sendable () -> Void
        ) -> Subscription
    ) -> Subscription {
        let queue = DeliveryQueue(on: executor, buffering: policy)
        let observer = EventObserver(id: 0, body: body, onCompletion: onCompletion)
        let source = connect(
            { payload in
                queue.enqueue { if observer.isActive { observer.body(payload) } }
            },
            {
                queue.enqueue(essential: true) {
                    if observer.deactivate() { observer.onCompletion() }
                }
            })
        return Subscription {
            observer.deactivate()
            source.dispose()
        }
    }
}
