// SPDX-License-Identifier: MIT

extension EventSource {
    /// Sends every value to `sink` and to `others`, and passes on the completion.
    @discardableResult
    public func bind(
        to sink: some ValueSink<Payload>, _ others: any ValueSink<Payload>...
    ) -> Subscription {
        bind(to: [sink] + others) { $0 }
    }

    /// Sends every value to sinks of optional values, and passes on the completion.
    @discardableResult
    public func bind(
        to sink: some ValueSink<Payload?>, _ others: any ValueSink<Payload?>...
    ) -> Subscription {
        bind(to: [sink] + others) { $0 }
    }

    private func bind<Value>(
        to sinks: [any ValueSink<Value>], _ convert: @escaping @Sendable (Payload) -> Value
    ) -> Subscription {
        // Binders have queues of their own, so they are sent to on the sender's thread.
        observe { payload in
            for sink in sinks { sink.send(convert(payload)) }
        } onCompletion: {
            for sink in sinks { sink.complete() }
        }
    }
}
