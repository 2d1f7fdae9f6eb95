// SPDX-License-Identifier: MIT

/// A source of values: an event, a delegate method or a control.
///
/// `observe` calls its closure on the sender's thread. `subscribe` calls its closure on an
/// executor. By default, this is a separate serial queue for each subscription, so that a slow
/// closure does not delay others.
public protocol EventSource<Payload>: Sendable {
    /// The type of the values.
    associatedtype Payload: Sendable

    /// Attaches an observer that is called on the sender's thread, before `send` returns.
    ///
    /// `body` must return quickly, because the sender and the observers that were attached later
    /// wait for it. `onCompletion` is called once, when the source completes.
    @discardableResult
    func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription

    /// The route that `subscribe`, `values` and `map` use to attach observers. Default: a route
    /// that calls `observe` and keeps this source alive.
    var route: EventRoute<Payload> { get }
}

extension EventSource {
    /// A route that calls `observe` and keeps this source alive.
    @inlinable public var route: EventRoute<Payload> {
        EventRoute { observe($0, onCompletion: $1) }
    }

    /// Attaches an observer that is called on the sender's thread and is not notified of the
    /// completion.
    @discardableResult
    @inlinable
    public func observe(_ body: @escaping @Sendable (Payload) -> Void) -> Subscription {
        observe(body, onCompletion: {})
    }

    /// Attaches an observer that is called in order on its own serial queue, or for a control, on
    /// the executor that the control's owner selected.
    ///
    /// The sender does not wait. If the observer is too slow, `policy` determines which values are
    /// buffered, and the subscription's `droppedCount` counts the dropped ones. `onCompletion` is
    /// called after the buffered values and is never dropped. After `dispose()`, buffered values
    /// are not delivered.
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
    /// In other respects, this method works like `subscribe(buffering:_:onCompletion:)`.
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
    /// In other respects, this method works like `subscribe(buffering:_:onCompletion:)`.
    @discardableResult
    public func subscribe(
        on executor: MainExecutor, buffering policy: BufferingPolicy = .newest(256),
        _ body: @escaping @MainActor @Sendable (Payload) -> Void,
        onCompletion: @escaping @MainActor @Sendable () -> Void = {}
    ) -> Subscription {
        // Safety: a `MainExecutor` runs both closures on the main queue, which is the main actor's.
        route.subscribe(
            on: executor, buffering: policy,
            { value in MainActor.assumeIsolated { body(value) } },
            onCompletion: { MainActor.assumeIsolated { onCompletion() } })
    }

    /// Returns a stream of the values sent from now on. The stream of a control property begins
    /// with its current value.
    ///
    /// If the loop over the stream is too slow, `policy` determines which values are buffered, and
    /// the stream's `droppedCount` counts the dropped ones. The stream does not keep an event
    /// alive. It ends when the event completes.
    @inlinable
    public func values(buffering policy: BufferingPolicy = .newest(256)) -> EventStream<Payload> {
        EventStream(buffering: policy, of: route)
    }

    /// Returns a promise of the next value for which `predicate` returns `true`.
    ///
    /// If the source completes before that, the promise is rejected with
    /// `PromiseError.Code.eventCompleted`. The source is observed until the promise is settled.
    /// `predicate` is called on the sender's thread.
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
