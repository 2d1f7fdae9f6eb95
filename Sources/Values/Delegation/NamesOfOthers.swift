// SPDX-License-Identifier: MIT

// Names of RxSwift, RxCocoa, Combine and PromiseKit. The compiler's message says what to write here.
// docs/delegation.md has a table of all counterparts.

extension EventSource {
    /// Not available: write `subscribe { … }`.
    @available(
        *, unavailable, message: "write 'subscribe { … } onCompletion: { … }': an event never fails"
    )
    @_disfavoredOverload
    @discardableResult
    public func subscribe(
        onNext: @escaping (Payload) -> Void, onError: ((any Error) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> Subscription { Subscription() }

    /// Not available: write `subscribe(on: .main) { … }`.
    @available(*, unavailable, message: "write 'subscribe(on: .main) { … } onCompletion: { … }'")
    @discardableResult
    public func drive(
        onNext: @escaping (Payload) -> Void, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> Subscription { Subscription() }

    /// Not available: write `bind(to:)`.
    @available(*, unavailable, renamed: "bind(to:)")
    @discardableResult
    public func drive(_ sinks: any ValueSink<Payload>...) -> Subscription { Subscription() }

    /// Not available: write `subscribe(on: .main) { … }`.
    @available(*, unavailable, message: "write 'subscribe(on: .main) { … } onCompletion: { … }'")
    @discardableResult
    public func emit(
        onNext: @escaping (Payload) -> Void, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> Subscription { Subscription() }

    /// Not available: write `bind(to:)`.
    @available(*, unavailable, renamed: "bind(to:)")
    @discardableResult
    public func emit(to sinks: any ValueSink<Payload>...) -> Subscription { Subscription() }

    /// Not available: write `subscribe(on: .main) { … }`.
    @available(*, unavailable, message: "write 'subscribe(on: .main) { … }'")
    @discardableResult
    public func bind(onNext: @escaping (Payload) -> Void) -> Subscription { Subscription() }

    /// Not available: write `observe { … }`.
    @available(
        *, unavailable,
        message: "write 'observe { … }', on the sender's thread, or 'subscribe { … }'"
    )
    @discardableResult
    public func sink(receiveValue: @escaping (Payload) -> Void) -> Subscription { Subscription() }

    /// Not available: pass the executor to `subscribe`.
    @available(
        *, unavailable,
        message: "write 'subscribe(on: .main) { … }', or 'subscribe(on: queue) { … }'"
    )
    public func observe(on scheduler: Any) -> Self { self }

    /// Not available: observers may share an event.
    @available(*, unavailable, message: "leave it out: an event calls any number of observers")
    public func asObservable() -> Self { self }

    /// Not available: an event never fails.
    @available(
        *, unavailable,
        message:
            "leave it out: an event never fails; 'subscribe(on: .main)' delivers on the main actor"
    )
    public func asDriver() -> Self { self }

    /// Not available: an event never fails.
    @available(
        *, unavailable,
        message:
            "leave it out: an event never fails; 'subscribe(on: .main)' delivers on the main actor"
    )
    public func asSignal() -> Self { self }

    /// Not available: observers may share an event.
    @available(
        *, unavailable,
        message:
            "leave it out: an event calls any number of observers; a 'ControlProperty' repeats its value"
    )
    public func share(replay: Int = 0) -> Self { self }

    /// Not available: write `first()` or `values().prefix(count)`.
    @available(
        *, unavailable,
        message: "write 'first()' for one value, or 'for await value in values().prefix(count)'"
    )
    public func take(_ count: Int) -> Self { self }

    /// Not available: loops have the operators of `AsyncSequence`.
    @available(*, unavailable, message: "write 'for await value in values().dropFirst(count)'")
    public func skip(_ count: Int) -> Self { self }

    /// Not available: an event completes when its object is deallocated.
    @available(
        *, unavailable,
        message:
            "leave it out if it is 'deallocated': an event completes with its object; otherwise, dispose the subscription"
    )
    public func takeUntil(_ other: Any) -> Self { self }

    /// Not available: an event completes when its object is deallocated.
    @available(
        *, unavailable,
        message:
            "leave it out if it is 'deallocated': an event completes with its object; otherwise, dispose the subscription"
    )
    public func take(until other: Any) -> Self { self }

    /// Not available: swift-async-algorithms has it.
    @available(*, unavailable, message: "use 'values().debounce(for:)' of swift-async-algorithms")
    public func debounce(_ dueTime: Any, scheduler: Any) -> Self { self }

    /// Not available: swift-async-algorithms has it.
    @available(
        *, unavailable,
        message:
            "use 'values()._throttle(for:)' of swift-async-algorithms, or 'values(buffering: .newest(1))'"
    )
    public func throttle(_ dueTime: Any, latest: Bool = true, scheduler: Any) -> Self { self }

    /// Not available: swift-async-algorithms has it.
    @available(
        *, unavailable, message: "use 'values().removeDuplicates()' of swift-async-algorithms"
    )
    public func distinctUntilChanged() -> Self { self }
}

extension Event {
    /// Not available: write `send(_:)`.
    @available(*, unavailable, renamed: "send(_:)")
    public func onNext(_ payload: Payload) {}

    /// Not available: write `send(_:)`.
    @available(*, unavailable, renamed: "send(_:)")
    public func accept(_ payload: Payload) {}

    /// Not available: write `complete()`.
    @available(*, unavailable, renamed: "complete()")
    public func onCompleted() {}

    /// Not available: an event never fails.
    @available(*, unavailable, message: "an event never fails: send a 'Result', or use a 'Promise'")
    public func onError(_ error: any Error) {}
}

extension ValueSink {
    /// Not available: write `send(_:)`.
    @available(*, unavailable, renamed: "send(_:)")
    public func onNext(_ value: Value) {}

    /// Not available: write `send(_:)`.
    @available(*, unavailable, renamed: "send(_:)")
    public func accept(_ value: Value) {}
}

extension Subscription {
    /// Not available: write `bag.append(subscription.scoped)`.
    @available(
        *, unavailable,
        message: "write 'bag.append(subscription.scoped)', where 'bag' is a '[ScopedSubscription]'"
    )
    public func disposed(by bag: Any) {}

    /// Not available: write `bag.append(subscription.scoped)`.
    @available(
        *, unavailable,
        message: "write 'bag.append(subscription.scoped)', where 'bag' is a '[ScopedSubscription]'"
    )
    public func store(in set: Any) {}

    /// Not available: write `dispose()`.
    @available(*, unavailable, renamed: "dispose()")
    public func cancel() {}
}

extension HasEvents {
    /// Not available: write `events`.
    @available(*, unavailable, renamed: "events")
    public var rx: EventNamespace<Self> { events }
}

extension Promise {
    /// Not available: write `then(on: .main) { … }`.
    @available(
        *, unavailable,
        message:
            "write 'then(on: .main) { … }', or 'then { … }' on the thread that settles the promise"
    )
    @discardableResult
    public func done(_ body: @escaping (Value) throws -> Void) -> Promise<Void> { Promise<Void>() }

    /// Not available: write `then`.
    @available(*, unavailable, renamed: "then(on:_:)")
    public func map<Next: Sendable>(_ body: @escaping (Value) throws -> Next) -> Promise<Next> {
        Promise<Next>()
    }

    /// Not available: write `finally`.
    @available(*, unavailable, renamed: "finally(on:_:)")
    @discardableResult
    public func ensure(_ body: @escaping () -> Void) -> Promise { self }
}
