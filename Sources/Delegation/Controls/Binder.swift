// SPDX-License-Identifier: MIT

/// Something that values can be sent to: a binder or a control property.
public protocol ValueSink<Value>: Sendable {
    /// The type of the values.
    associatedtype Value: Sendable

    /// Receives a value.
    func send(_ value: Value)
    /// Called when an event that is bound to this sink has completed.
    func complete()
}

extension ValueSink {
    /// Does nothing.
    public func complete() {}
}

/// A write-only sink onto an object, usually onto one of its properties.
///
/// The object is held weakly; once it is gone, values go nowhere. Writes run on the executor the
/// binder was given, in order and one at a time. On `.main` the closure is isolated to the main
/// actor, so that it may use a `@MainActor` object:
///
///     let title = Binder(viewModel, on: .main) { $0.title = $1 }
///     event.bind(to: title)
public struct Binder<Value: Sendable>: ValueSink {
    private let queue: DeliveryQueue
    private let write: @Sendable (Value) -> Void
    private let onCompletion: @Sendable () -> Void

    /// Creates a binder whose `write` is called on `executor`, with the target while it is alive.
    ///
    /// `onCompletion` is called there when an event that is bound to it completes, after the values.
    @_disfavoredOverload
    public init<Target: AnyObject & Sendable>(
        _ target: Target, on executor: some CallbackExecutor,
        _ write: @escaping @Sendable (Target, Value) -> Void,
        onCompletion: (@Sendable (Target) -> Void)? = nil
    ) {
        queue = DeliveryQueue(on: executor)
        self.write = { [weak target] value in
            if let target { write(target, value) }
        }
        self.onCompletion = { [weak target] in
            if let target { onCompletion?(target) }
        }
    }

    /// Creates a binder whose `write` is called on the main actor, with the target while it is alive.
    ///
    /// `onCompletion` is called there when an event that is bound to it completes, after the values.
    public init<Target: AnyObject & Sendable>(
        _ target: Target, on executor: MainExecutor,
        _ write: @escaping @MainActor @Sendable (Target, Value) -> Void,
        onCompletion: (@MainActor @Sendable (Target) -> Void)? = nil
    ) {
        queue = DeliveryQueue(on: executor)
        self.write = { [weak target] value in
            MainActor.assumeIsolated { if let target { write(target, value) } }
        }
        self.onCompletion = { [weak target] in
            MainActor.assumeIsolated { if let target { onCompletion?(target) } }
        }
    }

    /// Writes a value, once the executor gets to it; of a long backlog the newest 256 are kept.
    public func send(_ value: Value) {
        queue.enqueue { [write] in write(value) }
    }

    /// Calls the binder's `onCompletion`, after the values sent before.
    public func complete() {
        queue.enqueue(essential: true, onCompletion)
    }

    /// How many values were dropped because the executor lagged.
    public var droppedCount: Int { queue.droppedCount }
}

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
