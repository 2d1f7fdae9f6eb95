// SPDX-License-Identifier: MIT

/// What one consumer of a stream has yet to read, and the consumer while it waits.
///
/// It is subscribed until its last owner releases it; its source holds it weakly.
@usableFromInline
final class StreamBuffer<Element: Sendable>: Sendable {
    private enum Next {
        case element(Element)
        case end
        case wait
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var elements = Ring<Element>()
        @usableFromInline var waiters = Ring<CheckedContinuation<Element?, Never>>()
        @usableFromInline var isFinished = false
        /// Whether a loop reads it.
        var isRead = false
        /// What it counts for in the source's flow control.
        var hold = FlowControl.Hold.none
        @usableFromInline var subscription: Subscription?
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let drops: DropCounter
    private let flow: FlowControl?
    private let live = LiveToken(.streams)

    @inlinable
    convenience init(
        _ policy: BufferingPolicy, of route: EventRoute<Element>, countingDropsIn drops: DropCounter
    ) {
        self.init(policy: policy, route: route, drops: drops)
        let subscription = route.connect(
            { [weak self] in self?.push($0) }, { [weak self] in self?.finish() })
        state.withLock { $0.subscription = subscription }
    }

    @usableFromInline
    init(policy: BufferingPolicy, route: EventRoute<Element>, drops: DropCounter) {
        self.policy = policy
        self.drops = drops
        flow = route.flow
    }

    deinit {
        finish(discarding: true)
    }

    /// Whether nothing is left to read and nothing will come.
    var isExhausted: Bool { state.withLock { $0.isFinished && $0.elements.count == 0 } }

    /// Hands the element to a waiting consumer, or keeps it as the policy says.
    @inlinable
    func push(_ element: Element) {
        // What is dropped is returned from the lock, since its deinit may come back here.
        let (waiter, dropped) = state.withLock {
            state -> (CheckedContinuation<Element?, Never>?, Element?) in
            guard !state.isFinished else { return (nil, nil) }
            if let waiter = state.waiters.popFirst() { return (waiter, nil) }
            return (nil, keep(element, in: &state.elements))
        }
        waiter?.resume(returning: element)
        withExtendedLifetime(dropped) {}
        updateFlow()
    }

    /// Appends the element if the policy lets it, and returns the one it replaces.
    @inlinable
    func keep(_ element: Element, in elements: inout Ring<Element>) -> Element? {
        if elements.count < policy.limit {
            elements.append(element)
            return nil
        }
        drops.increment()
        guard case .newest = policy, let dropped = elements.popFirst() else { return nil }
        elements.append(element)
        return dropped
    }

    /// Ends the stream behind the elements already buffered, or at once when `discarding` them.
    @usableFromInline
    func finish(discarding: Bool = false) {
        var (waiters, discarded, subscription) = state.withLock { state in
            defer { state.subscription = nil }
            state.isFinished = true
            return (
                state.waiters.removeAll(), discarding ? state.elements.removeAll() : Ring(),
                state.subscription
            )
        }
        subscription?.dispose()
        while let waiter = waiters.popFirst() {
            waiter.resume(returning: nil)
        }
        // Released last, outside the lock: a deinit may come back here.
        withExtendedLifetime(discarded) {}
        updateFlow()
    }

    /// Notes whether a loop reads the buffer.
    func setRead(_ isRead: Bool) {
        state.withLock { $0.isRead = isRead }
        updateFlow()
    }

    /// Holds a source that can wait while the buffer is full.
    @usableFromInline
    func updateFlow() {
        guard let flow else { return }
        let (old, new) = state.withLock { state in
            let new = FlowControl.Hold(
                count: state.isFinished ? 0 : state.elements.count, of: policy, isRead: state.isRead
            )
            defer { state.hold = new }
            return (state.hold, new)
        }
        flow.change(from: old, to: new)
    }

    /// The next element, or `nil` at the end of the stream and when the task is cancelled.
    func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        if Task.isCancelled { finish(discarding: true) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let next = state.withLock { state -> Next in
                    if let element = state.elements.popFirst() { return .element(element) }
                    if state.isFinished { return .end }
                    state.waiters.append(waiter)
                    return .wait
                }
                switch next {
                case .element(let element):
                    updateFlow()
                    waiter.resume(returning: element)
                case .end: waiter.resume(returning: nil)
                case .wait: break
                }
            }
        } onCancel: {
            finish(discarding: true)
        }
    }
}
