// SPDX-License-Identifier: MIT
public import Synchronization

/// A hot, shared source of values: observers get what is sent while they are subscribed.
///
/// Nothing is replayed. `send` delivers synchronously on the sender's thread, in the order of
/// subscription, and holds no lock while it calls. The values of one sending thread arrive in its
/// order; several threads may send at once, and then an observer may be called by several at once.
///
/// An event never fails. It completes once, by `complete()` or when it is deallocated, and no
/// observer receives a value after its completion.
public final class Event<Payload: Sendable>: EventSource {
    @usableFromInline typealias Observer = EventObserver<Payload>

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var observers: [Observer] = []
        @usableFromInline var isCompleted = false
    }

    @usableFromInline let state = Locked(State())
    // Read on every `send`, so kept beside the lock: an event without observers costs one load.
    @usableFromInline let observerCount = Atomic(0)
    @usableFromInline let sendsUnderWay = Atomic(0)
    @usableFromInline let isCompleting = Atomic(false)
    private let onEdge: (@Sendable (Event) -> Void)?
    let flow: FlowControl?

    /// Creates an event.
    ///
    /// `onInterestChange` is called with `true` for the first observer and with `false` when the
    /// last has left. Its calls never overlap; when edges race, edges that cancel each other out
    /// are skipped and the last call has the final state.
    public convenience init(onInterestChange: (@Sendable (Bool) -> Void)? = nil) {
        guard let onInterestChange else {
            self.init(flow: nil)
            return
        }
        let interest = ChangeNotifier(initially: false, announce: onInterestChange)
        self.init(flow: nil) { event in interest.request { event.hasObservers } }
    }

    /// Creates an event whose source may wait for its consumers.
    ///
    /// `onEdge` is called after every first arrival and every last departure, none left out.
    package init(flow: FlowControl?, onEdge: (@Sendable (Event) -> Void)? = nil) {
        self.flow = flow
        self.onEdge = onEdge
    }

    deinit {
        complete()
    }

    /// Whether there are observers.
    @inlinable public var hasObservers: Bool { observerCount.load(ordering: .acquiring) > 0 }

    /// Whether `complete()` has been called.
    public var isCompleted: Bool { state.withLock { $0.isCompleted } }

    /// Delivers a value to the current observers; does nothing once completed.
    @inlinable
    public func send(_ payload: Payload) {
        guard hasObservers else { return }
        let observers = state.withLock { state -> [Observer] in
            guard !state.isCompleted, !state.observers.isEmpty else { return [] }
            sendsUnderWay.add(1, ordering: .relaxed)
            return state.observers
        }
        guard !observers.isEmpty else { return }
        for observer in observers where observer.isActive {
            observer.body(payload)
        }
        let (_, remaining) = sendsUnderWay.subtract(1, ordering: .sequentiallyConsistent)
        if remaining == 0, isCompleting.load(ordering: .sequentiallyConsistent) {
            deliverCompletion()
        }
    }

    /// Attaches an observer that is called on the sender's thread: when this returns, it gets the
    /// next value.
    ///
    /// It must return quickly: while it runs, the sender and all later observers wait.
    /// `subscribe(on:)` calls an observer on a queue instead. The observer stays attached until it
    /// is disposed or the event completes, also when the subscription is dropped. On an event that
    /// has completed, `onCompletion` is called at once.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        let (observer, isFirst) = state.withLock { state -> (Observer?, Bool) in
            guard !state.isCompleted else { return (nil, false) }
            let observer = Observer(body: body, onCompletion: onCompletion)
            state.observers.append(observer)
            observerCount.store(state.observers.count, ordering: .releasing)
            return (observer, state.observers.count == 1)
        }
        guard let observer else {
            onCompletion()
            return Subscription()
        }
        if isFirst { onEdge?(self) }
        return Subscription { [weak self] in
            observer.deactivate()
            self?.remove(observer)
        }
    }

    /// Ends the event: calls every observer's `onCompletion` once and releases it.
    ///
    /// Further values and calls do nothing. While a `send` is under way, the last one to return
    /// calls the observers, so that none of them gets a value after its completion.
    public func complete() {
        let isFirst = state.withLock { state in
            defer { state.isCompleted = true }
            return !state.isCompleted
        }
        guard isFirst else { return }
        isCompleting.store(true, ordering: .sequentiallyConsistent)
        if sendsUnderWay.load(ordering: .sequentiallyConsistent) == 0 {
            deliverCompletion()
        }
    }

    @usableFromInline
    func deliverCompletion() {
        let observers = state.withLock { state in
            defer { state.observers = [] }
            return state.observers
        }
        guard !observers.isEmpty else { return }
        observerCount.store(0, ordering: .releasing)
        for observer in observers where observer.deactivate() {
            observer.onCompletion()
        }
        onEdge?(self)
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
        if wasLast { onEdge?(self) }
    }
}

extension Event {
    /// A way that doesn't keep the event alive.
    public var route: EventRoute<Payload> { route(on: nil) }

    /// The way to subscribers that are called on `executor`, and don't keep the event alive.
    func route(on executor: (any CallbackExecutor)?) -> EventRoute<Payload> {
        EventRoute(executor: executor, flow: flow) { [weak self] onValue, onCompletion in
            guard let self else {
                onCompletion()
                return Subscription()
            }
            return observe(onValue, onCompletion: onCompletion)
        }
    }
}

/// One subscriber of an event, active until it is disposed or completed.
@usableFromInline
final class EventObserver<Payload: Sendable>: Sendable {
    @usableFromInline let body: @Sendable (Payload) -> Void
    let onCompletion: @Sendable () -> Void
    @usableFromInline let active = Atomic(true)
    private let live = LiveToken(.observers)

    init(
        body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) {
        self.body = body
        self.onCompletion = onCompletion
    }

    @inlinable var isActive: Bool { active.load(ordering: .acquiring) }

    /// Ends delivery and returns whether this call did it.
    @discardableResult
    func deactivate() -> Bool {
        active.exchange(false, ordering: .acquiringAndReleasing)
    }
}
