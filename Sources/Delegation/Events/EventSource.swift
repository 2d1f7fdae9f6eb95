// SPDX-License-Identifier: MIT

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

    /// How `subscribe`, `values` and `map` reach this source; by default through `observe`.
    var route: EventRoute<Payload> { get }
}

extension EventSource {
    /// A way through `observe`, which keeps this source alive.
    @inlinable public var route: EventRoute<Payload> {
        EventRoute { observe($0, onCompletion: $1) }
    }

    /// Attaches an observer that is called on the sender's thread, and not at the end.
    @discardableResult
    @inlinable
    public func observe(_ body: @escaping @Sendable (Payload) -> Void) -> Subscription {
        observe(body, onCompletion: {})
    }

    /// Attaches an observer that is called in order, on the executor of a control's owner, else on a
    /// serial queue of its own.
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
        route.subscribe(on: nil, buffering: policy, body, onCompletion: onCompletion)
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
        route.subscribe(on: executor, buffering: policy, body, onCompletion: onCompletion)
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
        route.subscribe(
            on: executor, buffering: policy,
            { value in MainActor.assumeIsolated { body(value) } },
            onCompletion: { MainActor.assumeIsolated { onCompletion() } })
    }

    /// A stream of the values from now on; one of a control property begins with its value.
    ///
    /// A reader that lags keeps what `policy` allows; `droppedCount` counts what it lost. The stream
    /// doesn't keep an event alive and ends when the event completes.
    @inlinable
    public func values(buffering policy: BufferingPolicy = .newest(256)) -> EventStream<Payload> {
        EventStream(buffering: policy, of: route)
    }

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
