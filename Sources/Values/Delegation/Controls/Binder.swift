// SPDX-License-Identifier: MIT

/// A receiver of values: a binder or a control property.
public protocol ValueSink<Value>: Sendable {
    /// The type of the values.
    associatedtype Value: Sendable

    /// Passes a value to the sink.
    func send(_ value: Value)
    /// Called when a source that is bound to this sink has completed. Default: does nothing.
    func complete()
}

extension ValueSink {
    /// Does nothing.
    public func complete() {}
}

/// A sink that writes values to an object, usually to one of its properties.
///
/// The object is held weakly. Values that arrive after its deallocation are ignored. Writes run on
/// the binder's executor, in order and one at a time. With `.main`, the closure is isolated to the
/// main actor, so it may use a `@MainActor` object, and a value sent on the main actor is written at
/// once:
///
///     let title = Binder(viewModel, on: .main) { $0.title = $1 }
///     event.bind(to: title)
public struct Binder<Value: Sendable>: ValueSink {
    private let queue: DeliveryQueue
    /// Whether a value that is sent on the main actor is written before `send` returns.
    private let isOnMain: Bool
    private let write: @Sendable (Value) -> Void
    private let onCompletion: @Sendable () -> Void

    /// Creates a binder that calls `write` on `executor` as long as the target exists.
    ///
    /// `onCompletion` is called on `executor`, after the values, when a bound source completes.
    @_disfavoredOverload
    public init<Target: AnyObject & Sendable>(
        _ target: Target, on executor: some CallbackExecutor,
        _ write: @escaping @Sendable (Target, Value) -> Void,
        onCompletion: (@Sendable (Target) -> Void)? = nil
    ) {
        queue = DeliveryQueue(on: executor)
        // A caller may pass a `MainExecutor` as `some CallbackExecutor`.
        isOnMain = executor is MainExecutor
        self.write = { [weak target] value in
            if let target { write(target, value) }
        }
        self.onCompletion = { [weak target] in
            if let target { onCompletion?(target) }
        }
    }

    /// Creates a binder that calls `write` on the main actor as long as the target exists.
    ///
    /// `onCompletion` is called on the main actor, after the values, when a bound source completes.
    public init<Target: AnyObject & Sendable>(
        _ target: Target, on executor: MainExecutor,
        _ write: @escaping @MainActor @Sendable (Target, Value) -> Void,
        onCompletion: (@MainActor @Sendable (Target) -> Void)? = nil
    ) {
        queue = DeliveryQueue(on: executor)
        isOnMain = true
        // Safety: a `MainExecutor` runs both closures on the main queue, which is the main actor's.
        self.write = { [weak target] value in
            MainActor.assumeIsolated { if let target { write(target, value) } }
        }
        self.onCompletion = { [weak target] in
            MainActor.assumeIsolated { if let target { onCompletion?(target) } }
        }
    }

    /// Writes a value on the executor. At most 256 values wait for the executor; a further value
    /// replaces the oldest.
    ///
    /// A binder on `.main` that is called on the main actor writes the value before `send` returns,
    /// unless earlier values still wait.
    public func send(_ value: Value) {
        let call: @Sendable () -> Void = { [write] in write(value) }
        if isOnMain, MainQueue.isCurrent, queue.runNow(call) { return }
        queue.enqueue(call)
    }

    /// Calls the binder's `onCompletion` on the executor, after the values sent before.
    public func complete() {
        if isOnMain, MainQueue.isCurrent, queue.runNow(onCompletion) { return }
        queue.enqueueCompletion(onCompletion)
    }

    /// The number of values dropped because the executor was too slow.
    public var droppedCount: Int { queue.droppedCount }
}

extension EventSource {
    /// Sends every value and the completion to all sinks until the subscription is disposed.
    @discardableResult
    public func bind(
        to sink: some ValueSink<Payload>, _ others: any ValueSink<Payload>...
    ) -> Subscription {
        bind(to: [sink] + others) { $0 }
    }

    /// Sends every value and the completion to sinks of optional values until the subscription is
    /// disposed.
    @discardableResult
    public func bind(
        to sink: some ValueSink<Payload?>, _ others: any ValueSink<Payload?>...
    ) -> Subscription {
        bind(to: [sink] + others) { $0 }
    }

    private func bind<Value>(
        to sinks: [any ValueSink<Value>], _ convert: @escaping @Sendable (Payload) -> Value
    ) -> Subscription {
        // Sinks are called on the sender's thread, because binders have their own queues.
        observe { payload in
            for sink in sinks { sink.send(convert(payload)) }
        } onCompletion: {
            for sink in sinks { sink.complete() }
        }
    }
}
