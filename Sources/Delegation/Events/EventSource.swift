// SPDX-License-Identifier: MIT
import Dispatch

/// A source of values: an event, a delegate method or a control.
///
/// `subscribe` calls its closure on an executor, by default a queue of the subscription's own: a slow
/// closure delays nothing but its own next call. `observe` calls its closure on the sender's thread.
public protocol EventSource<Payload>: Sendable {
    /// The type of the values.
    associatedtype Payload: Sendable

    /// Attaches an observer that is called on the sender's thread, before `send` returns.
    ///
    /// It must return quickly: while it runs, the sender and all later observers wait.
    @discardableResult
    func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription
}

extension EventSource {
    /// Attaches an observer that is called on a serial queue of its own, in order.
    ///
    /// The sender doesn't wait; an observer that lags keeps what `policy` allows, and the
    /// subscription's `droppedCount` counts the rest. `onCompletion` is called after the values and
    /// is never dropped. Nothing that is still waiting is delivered after `dispose()`.
    @discardableResult
    public func subscribe(
        buffering policy: BufferingPolicy = .newest(256),
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        subscribe(
            on: DispatchQueue(label: "delegation.subscription"), buffering: policy, body,
            onCompletion: onCompletion)
    }

    /// Attaches an observer that is called on `executor`, in order and one call at a time.
    ///
    /// Otherwise as `subscribe(buffering:_:onCompletion:)`.
    @_disfavoredOverload
    @discardableResult
    public func subscribe(
        on executor: some CallbackExecutor, buffering policy: BufferingPolicy = .newest(256),
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        DeliveryQueue(
            on: executor, buffering: policy, flow: (self as? any FlowControlled)?.flow
        )
        .subscription(body, onCompletion: onCompletion) { observe($0, onCompletion: $1) }
    }

    /// Attaches an observer that is called on the main actor, in order.
    ///
    /// Otherwise as `subscribe(buffering:_:onCompletion:)`.
    @discardableResult
    public func subscribe(
        on executor: MainExecutor, buffering policy: BufferingPolicy = .newest(256),
        _ body: @escaping @MainActor @Sendable (Payload) -> Void,
        onCompletion: @escaping @MainActor @Sendable () -> Void = {}
    ) -> Subscription {
        DeliveryQueue(on: executor, buffering: policy)
            .subscription(
                { value in MainActor.assumeIsolated { body(value) } },
                onCompletion: { MainActor.assumeIsolated { onCompletion() } }
            ) { observe($0, onCompletion: $1) }
    }
}

extension EventSource {
    /// Promises the next value that `predicate` accepts.
    ///
    /// Rejected with `PromiseError.Code.eventCompleted` when the event ends first. Once the
    /// promise is settled, by whatever, the source is no longer observed. `predicate` is called on
    /// the sender's thread.
    public func first(
        where predicate: @escaping @Sendable (Payload) -> Bool = { _ in true }
    ) -> Promise<Payload> {
        let promise = Promise<Payload>()
        let subscription = observe { [outcome = promise.outcome] payload in
            if predicate(payload) { _ = outcome.settle(.success(payload)) }
        } onCompletion: { [outcome = promise.outcome] in
            _ = outcome.settle(.failure(PromiseError(.eventCompleted)))
        }
        promise.outcome.wait(asConsumer: false) { _ in subscription.dispose() }
        return promise
    }
}

extension DeliveryQueue {
    /// Attaches an observer that is called through this queue to the source behind `connect`.
    func subscription<Payload: Sendable>(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void,
        connect: (
            @escaping @Sendable (Payload) -> Void, @escaping @Sendable () -> Void
        ) -> Subscription
    ) -> Subscription {
        let observer = EventObserver(id: 0, body: body, onCompletion: onCompletion)
        let source = connect(
            { payload in
                self.enqueue { if observer.isActive { observer.body(payload) } }
            },
            {
                self.enqueue(essential: true) {
                    if observer.deactivate() { observer.onCompletion() }
                }
            })
        return Subscription(countingDropsIn: drops) {
            observer.deactivate()
            source.dispose()
        }
    }
}

/// Anything that can be subscribed to, whatever is behind it.
@usableFromInline
struct ValueSource<Value: Sendable>: Sendable {
    @usableFromInline let connect: EventStream<Value>.Connect

    init(connect: @escaping EventStream<Value>.Connect) {
        self.connect = connect
    }

    /// The values of an event, which is not kept alive.
    @inlinable
    init(_ event: Event<Value>) {
        connect = { [weak event] onValue, onCompletion in
            guard let event else {
                onCompletion()
                return Subscription()
            }
            return event.observe(onValue, onCompletion: onCompletion)
        }
    }

    func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Other
    ) -> ValueSource<Other> {
        ValueSource<Other> { onValue, onCompletion in
            connect({ onValue(transform($0)) }, onCompletion)
        }
    }
}
