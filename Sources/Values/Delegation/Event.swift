// SPDX-License-Identifier: MIT
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
    let flow: FlowControl?

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
    public var isCompleted: Bool { state.withLock { $0.isCompleted } }

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
