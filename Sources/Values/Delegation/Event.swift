// SPDX-License-Identifier: MIT
import Dispatch
public import Synchronization

/// A source of values for any number of observers.
///
/// Observers receive the values that are sent while they are attached; earlier values are not
/// replayed. `send` calls the observers on the sender's thread, in the order in which they were
/// attached and without holding a lock. The values of one sending thread arrive in order. If
/// several threads send concurrently, an observer may be called concurrently.
///
/// An event never fails. It completes once, when `complete()` is called or when it is deallocated.
/// No observer receives a value after its completion.
public final class Event<Payload: Sendable>: EventSource {
    @usableFromInline typealias Observer = EventObserver<Payload>

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var observers: [Observer] = []
        @usableFromInline var isCompleted = false
    }

    @usableFromInline let state = Locked(State())
    // This is outside the lock, so that sending a value without observers costs one atomic load.
    @usableFromInline let observerCount = Atomic(0)
    /// The number of `send` calls that are calling observers.
    @usableFromInline let activeSends = Atomic(0)
    @usableFromInline let isCompleting = Atomic(false)
    private let onObservedChange: (@Sendable (Event) -> Void)?
    private let flow: FlowControl?

    /// Creates an event.
    ///
    /// `onInterestChange` is called with `true` when the first observer is attached and with
    /// `false` when the last one is detached. Its calls never overlap. If an observer is attached
    /// and detached quickly, both calls may be omitted. The last call always has the final state.
    public convenience init(onInterestChange: (@Sendable (Bool) -> Void)? = nil) {
        guard let onInterestChange else {
            self.init(flow: nil)
            return
        }
        let interest = ChangeNotifier(initially: false, onChange: onInterestChange)
        self.init(flow: nil) { event in interest.check { event.hasObservers } }
    }

    /// Creates an event. If `flow` is not `nil`, its source can pause while a consumer's buffer is
    /// full.
    ///
    /// `onObservedChange` is called whenever the first observer has been attached or the last one
    /// has been detached.
    package init(flow: FlowControl?, onObservedChange: (@Sendable (Event) -> Void)? = nil) {
        self.flow = flow
        self.onObservedChange = onObservedChange
    }

    deinit {
        complete()
    }

    /// Whether at least one observer is attached.
    @inlinable public var hasObservers: Bool { observerCount.load(ordering: .acquiring) > 0 }

    /// Whether `complete()` has been called.
    package var isCompleted: Bool { state.withLock { $0.isCompleted } }

    /// Calls the attached observers with a value. Does nothing after completion.
    @inlinable
    public func send(_ payload: Payload) {
        guard hasObservers else { return }
        let observers = state.withLock { state -> [Observer] in
            guard !state.isCompleted, !state.observers.isEmpty else { return [] }
            activeSends.add(1, ordering: .relaxed)
            return state.observers
        }
        guard !observers.isEmpty else { return }
        for observer in observers where observer.isActive {
            observer.body(payload)
        }
        let (_, remaining) = activeSends.subtract(1, ordering: .sequentiallyConsistent)
        if remaining == 0, isCompleting.load(ordering: .sequentiallyConsistent) {
            deliverCompletion()
        }
    }

    /// Attaches an observer that is called on the sender's thread, from the next value on.
    ///
    /// `body` must return quickly, because the sender and the observers that were attached later
    /// wait for it. Use `subscribe` for an observer that is called on a queue. The observer stays
    /// attached until the subscription is disposed or the event completes, even if the subscription
    /// is released. So `body` must not retain the object that owns the event. If the event has
    /// already completed, `onCompletion` is called immediately.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        let subscription = Subscription()
        let observer = Observer(
            body: body, onCompletion: subscription.releasingAction(after: onCompletion))
        subscription.setAction { [weak self] in
            observer.deactivate()
            self?.remove(observer)
        }
        let isFirst = state.withLock { state -> Bool? in
            guard !state.isCompleted else { return nil }
            state.observers.append(observer)
            observerCount.store(state.observers.count, ordering: .releasing)
            return state.observers.count == 1
        }
        guard let isFirst else {
            onCompletion()
            return Subscription()
        }
        if isFirst { onObservedChange?(self) }
        return subscription
    }

    /// Completes the event: calls every observer's `onCompletion` once and releases the observers,
    /// even if their subscriptions are kept.
    ///
    /// Afterwards, `send` and `complete` have no effect. While other threads are sending, this
    /// returns at once, and the last of them calls `onCompletion`, so that no observer receives a
    /// value after its completion.
    public func complete() {
        let isFirst = !state.withLock { exchange(&$0.isCompleted, with: true) }
        guard isFirst else { return }
        isCompleting.store(true, ordering: .sequentiallyConsistent)
        if activeSends.load(ordering: .sequentiallyConsistent) == 0 {
            deliverCompletion()
        }
    }

    @usableFromInline
    func deliverCompletion() {
        let observers = state.withLock { exchange(&$0.observers, with: []) }
        guard !observers.isEmpty else { return }
        observerCount.store(0, ordering: .releasing)
        for observer in observers where observer.deactivate() {
            observer.onCompletion()
        }
        onObservedChange?(self)
    }

    private func remove(_ observer: Observer) {
        let wasLast = state.withLock { state in
            guard let index = state.observers.firstIndex(where: { $0 === observer }) else {
                return false
            }
            state.observers.remove(at: index)
            observerCount.store(state.observers.count, ordering: .releasing)
            return state.observers.isEmpty
        }
        if wasLast { onObservedChange?(self) }
    }
}

extension Event {
    /// A route from this event to observers. It does not keep the event alive.
    public var route: EventRoute<Payload> {
        EventRoute(flow: flow) { [weak self] onValue, onCompletion in
            guard let self else {
                onCompletion()
                return Subscription()
            }
            return observe(onValue, onCompletion: onCompletion)
        }
    }
}

/// The closures of one observer. They are called only until it is disposed or has received the
/// completion.
@usableFromInline
final class EventObserver<Payload: Sendable>: Sendable {
    @usableFromInline let body: @Sendable (Payload) -> Void
    let onCompletion: @Sendable () -> Void
    @usableFromInline let active = Atomic(true)

    init(
        body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) {
        self.body = body
        self.onCompletion = onCompletion
    }

    @inlinable var isActive: Bool { active.load(ordering: .acquiring) }

    /// Stops calling the observer. Returns whether it was active before.
    @discardableResult
    func deactivate() -> Bool {
        active.exchange(false, ordering: .acquiringAndReleasing)
    }
}

/// A connection that attaches observers and streams to a source. `map`, `compactMap` and `filter`
/// return a route that also converts or filters the values.
///
/// A route stores no values: each observer and each stream subscribes to the source separately. So
/// the closure passed to `map` is called once per value for each of them, on the sender's thread.
/// The route of an event does not keep the event alive and completes with it.
public struct EventRoute<Payload: Sendable>: EventSource {
    /// The executor that the source's owner selected. If it is `nil`, each subscription has its own
    /// queue.
    let executor: (any CallbackExecutor)?
    /// Pauses the source while a buffer is full; `nil` if the source cannot pause.
    let flow: FlowControl?
    @usableFromInline let connect: EventStream<Payload>.Connect

    @usableFromInline
    init(
        executor: (any CallbackExecutor)? = nil, flow: FlowControl? = nil,
        connect: @escaping EventStream<Payload>.Connect
    ) {
        self.executor = executor
        self.flow = flow
        self.connect = connect
    }

    /// This route.
    public var route: EventRoute { self }

    /// This route with subscribers that are called on `executor`.
    func on(_ executor: any CallbackExecutor) -> EventRoute {
        EventRoute(executor: executor, flow: flow, connect: connect)
    }

    /// Attaches an observer that is called on the sender's thread; see
    /// `Event.observe(_:onCompletion:)`.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        connect(body, onCompletion)
    }

    /// Attaches an observer that is called on `executor`. If that is `nil`, it is called on the
    /// route's own executor.
    func subscribe(
        on executor: (any CallbackExecutor)?, buffering policy: BufferingPolicy,
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        let queue = DeliveryQueue(
            on: executor ?? self.executor ?? DispatchQueue(label: "delegation.subscription"),
            buffering: policy, flow: flow)
        let subscription = Subscription(countingDropsIn: queue.drops, nil)
        let observer = EventObserver(
            body: body, onCompletion: subscription.releasingAction(after: onCompletion))
        let source = connect(
            { payload in
                queue.enqueue { if observer.isActive { observer.body(payload) } }
            },
            {
                queue.enqueueCompletion {
                    if observer.deactivate() { observer.onCompletion() }
                }
            })
        subscription.setAction {
            observer.deactivate()
            source.dispose()
            queue.close()
        }
        // The source may have completed before the action was set.
        if !observer.isActive { subscription.releaseAction() }
        return subscription
    }
}

extension EventSource {
    /// Returns a source of the values converted by `transform`, which is called on the sender's
    /// thread.
    public func map<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value
    ) -> EventRoute<Value> {
        compactMap(transform)
    }

    /// Returns a source of the values converted by `transform`, which is called on the sender's
    /// thread. A value is omitted if `transform` returns `nil`.
    public func compactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value?
    ) -> EventRoute<Value> {
        let route = route
        return EventRoute<Value>(executor: route.executor, flow: route.flow) {
            onValue, onCompletion in
            route.connect({ if let value = transform($0) { onValue(value) } }, onCompletion)
        }
    }

    /// Returns a source of only those values that `isIncluded` accepts by returning `true`. It is
    /// called on the sender's thread.
    public func filter(
        _ isIncluded: @escaping @Sendable (Payload) -> Bool
    ) -> EventRoute<Payload> {
        compactMap { isIncluded($0) ? $0 : nil }
    }
}

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

// Sources that are not events of this module: each observer is attached by a closure.

extension EventRoute {
    /// Creates a source of your own, as RxSwift's `Observable.create` does: a callback, a target of a
    /// control, a notification.
    ///
    ///     let ticks = EventRoute<Int> { event in
    ///         let id = clock.addCallback { event.send($0) }
    ///         return { clock.removeCallback(id) }
    ///     }
    ///
    /// `attach` is called for each observer and each stream, on the thread that subscribes. It
    /// receives an event of this observer alone, and may send values to it at once. It returns the
    /// closure that detaches the observer, which is called once: when the subscription is disposed
    /// or the event completes. Until then, the closure is retained. The observer completes when
    /// `complete()` is called, or when the last reference to the event is released.
    public init(
        attach: @escaping @Sendable (_ event: Event<Payload>) -> @Sendable () -> Void
    ) {
        self.init { onValue, onCompletion in
            let attachment = Attachment(onValue, onCompletion)
            attachment.keep(attach(attachment.event))
            return attachment.subscription
        }
    }

    /// Creates a source of the values of an object that is held weakly. Observers complete when the
    /// object has been deallocated.
    init<Owner: AnyObject>(
        of owner: Owner, on executor: any CallbackExecutor,
        attach: @escaping @Sendable (Owner, Event<Payload>) -> @Sendable (Owner) -> Void
    ) {
        let owner = WeakObject(owner)
        self.init(executor: executor) { onValue, onCompletion in
            guard let object = owner.object else {
                onCompletion()
                return Subscription()
            }
            let attachment = Attachment(onValue, onCompletion, of: object)
            let detach = attach(object, attachment.event)
            attachment.keep { if let object = owner.object { detach(object) } }
            return attachment.subscription
        }
    }

    /// Creates a source of the values of an object of the main actor, where observers are attached
    /// and detached.
    init<Owner: AnyObject>(
        of owner: Owner, on executor: MainExecutor,
        attach:
            @escaping @MainActor @Sendable (Owner, Event<Payload>) ->
            @MainActor @Sendable (Owner)
            -> Void
    ) {
        let owner = WeakObject(owner)
        self.init(executor: executor) { onValue, onCompletion in
            guard let object = owner.object else {
                onCompletion()
                return Subscription()
            }
            let attachment = Attachment(onValue, onCompletion, of: object)
            // Until the main queue runs the closure, the closure keeps the event alive.
            MainQueue.perform { [event = attachment.event] in
                guard !attachment.hasEnded else { return }
                // Safety: `perform` runs both closures on the main queue, which is the main actor's.
                MainActor.assumeIsolated {
                    guard let object = owner.object else { return }
                    let detach = attach(object, event)
                    attachment.keep {
                        MainQueue.perform {
                            MainActor.assumeIsolated {
                                if let object = owner.object { detach(object) }
                            }
                        }
                    }
                }
            }
            return attachment.subscription
        }
    }
}

/// One observer of a source, its own event, and the closure that detaches it.
///
/// The source usually retains the event, and the event retains the closure until it ends.
private struct Attachment<Payload: Sendable>: Sendable {
    private enum State {
        case attaching
        case attached(@Sendable () -> Void)
        case ended
    }

    /// Shared with the event, which must not retain itself.
    private final class Detacher: Sendable {
        private let state = Locked(State.attaching)

        var hasEnded: Bool {
            state.withLock { if case .ended = $0 { true } else { false } }
        }

        func keep(_ detach: @escaping @Sendable () -> Void) {
            let isLate = state.withLock { state in
                if case .ended = state { return true }
                state = .attached(detach)
                return false
            }
            if isLate { detach() }
        }

        func end() {
            if case .attached(let detach) = state.exchange(.ended) { detach() }
        }
    }

    let event: Event<Payload>
    let subscription: Subscription
    private let detacher: Detacher

    /// Attaches an observer to an event of its own. If the source has an owner, the event completes
    /// when the owner has been deallocated.
    init(
        _ onValue: @escaping @Sendable (Payload) -> Void,
        _ onCompletion: @escaping @Sendable () -> Void, of owner: AnyObject? = nil
    ) {
        let detacher = Detacher()
        let storage = owner.map { WeakObject(ProxyStorage.of($0)) }
        let id = ObjectIdentifier(detacher)
        event = Event(flow: nil) { event in
            guard !event.hasObservers else { return }
            storage?.object?.whenReleased(id, nil)
            detacher.end()
        }
        self.detacher = detacher
        storage?.object?.whenReleased(id) { [weak event] in event?.complete() }
        subscription = event.observe(onValue, onCompletion: onCompletion)
    }

    var hasEnded: Bool { detacher.hasEnded }

    /// Retains `detach` until the observer is disposed or has completed. Calls it if that has already
    /// happened.
    func keep(_ detach: @escaping @Sendable () -> Void) { detacher.keep(detach) }
}
