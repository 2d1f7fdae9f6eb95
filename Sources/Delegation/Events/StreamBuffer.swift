// SPDX-License-Identifier: MIT

/// The values that one consumer of a stream has not read yet, and the tasks that wait for one.
///
/// The buffer is subscribed until it is released; its source holds it weakly.
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
        /// Whether an iterator reads the buffer.
        var isRead = false
        /// The buffer's last reported effect on the source.
        var hold = FlowControl.Hold.none
        @usableFromInline var subscription: Subscription?
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let drops: DropCounter
    private let flow: FlowControl?

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

    /// Gives the element to a waiting task, or buffers it as the policy says.
    @inlinable
    func push(_ element: Element) {
        // A dropped element is released outside the lock, since its deinit may use this buffer.
        let (waiter, dropped) = state.withLock {
            state -> (CheckedContinuation<Element?, Never>?, Element?) in
            guard !state.isFinished else { return (nil, nil) }
            if let waiter = state.waiters.popFirst() { return (waiter, nil) }
            return (nil, append(element, to: &state.elements))
        }
        waiter?.resume(returning: element)
        withExtendedLifetime(dropped) {}
        updateFlow()
    }

    /// Appends the element if the policy allows it, and returns the element it replaces.
    @inlinable
    func append(_ element: Element, to elements: inout Ring<Element>) -> Element? {
        if elements.count < policy.limit {
            elements.append(element)
            return nil
        }
        drops.increment()
        guard case .newest = policy, let dropped = elements.popFirst() else { return nil }
        elements.append(element)
        return dropped
    }

    /// Ends the stream after the buffered elements, or at once if `discarding` them.
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
        // Released last and outside the lock: a deinit may use this buffer.
        withExtendedLifetime(discarded) {}
        updateFlow()
    }

    /// Reserves the buffer for one iterator. Returns `false` if another iterator reads it, or if it
    /// is finished and empty.
    @discardableResult
    func beginReading() -> Bool {
        let isFree = state.withLock { state in
            if state.isRead || (state.isFinished && state.elements.count == 0) { return false }
            state.isRead = true
            return true
        }
        if isFree { updateFlow() }
        return isFree
    }

    /// Makes the buffer available to the next iterator.
    func endReading() {
        state.withLock { $0.isRead = false }
        updateFlow()
    }

    /// Holds a source that can pause while the buffer is full.
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

    /// Waits for the next element; `nil` at the end of the stream and if the task is cancelled.
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
