// SPDX-License-Identifier: MIT

/// A source of values: an event, a delegate method or a control.
///
/// `subscribe` calls its closure on an executor, by default on a serial queue for each subscription,
/// so that a slow closure delays only its own next call. `observe` calls its closure on the sender's
/// thread.
public protocol EventSource<Payload>: Sendable {
    /// The type of the values.
    associatedtype Payload: Sendable

    /// Attaches an observer that is called on the sender's thread, before `send` returns.
    ///
    /// It must return quickly: the sender and all later observers wait for it.
    @discardableResult
    func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription

    /// The route that `subscribe`, `values` and `map` use. Default: one that calls `observe`.
    var route: EventRoute<Payload> { get }
}

extension EventSource {
    /// A route that calls `observe` and keeps this source alive.
    @inlinable public var route: EventRoute<Payload> {
        EventRoute { observe($0, onCompletion: $1) }
    }

    /// Attaches an observer that is called on the sender's thread, without a completion.
    @discardableResult
    @inlinable
    public func observe(_ body: @escaping @Sendable (Payload) -> Void) -> Subscription {
        observe(body, onCompletion: {})
    }

    /// Attaches an observer that is called in order on its own serial queue; for a control, on the
    /// executor that its owner chose.
    ///
    /// The sender doesn't wait. If the observer is too slow, `policy` selects the values that wait
    /// for it, and the subscription's `droppedCount` counts the others. `onCompletion` is called after
    /// the values and is never dropped. After `dispose()` no waiting value is delivered.
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
    /// Otherwise the same as `subscribe(buffering:_:onCompletion:)`.
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
    /// Otherwise the same as `subscribe(buffering:_:onCompletion:)`.
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

    /// Returns a stream of the values from now on; a control property's stream begins with its value.
    ///
    /// If the reader is too slow, `policy` selects the values that are kept, and the stream's
    /// `droppedCount` counts the others. The stream doesn't keep an event alive and ends when the
    /// event completes.
    @inlinable
    public func values(buffering policy: BufferingPolicy = .newest(256)) -> EventStream<Payload> {
        EventStream(buffering: policy, of: route)
    }

    /// Returns a promise of the next value for which `predicate` returns `true`.
    ///
    /// The promise is rejected with `PromiseError.Code.eventCompleted` if the event completes first.
    /// The source is observed until the promise is settled. `predicate` is called on the sender's
    /// thread.
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
