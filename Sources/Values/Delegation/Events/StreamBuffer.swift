// SPDX-License-Identifier: MIT

/// The values that an iterator of a stream has not read yet, and the tasks that wait for a value.
///
/// The buffer is subscribed to the source until it is released. The source holds it weakly.
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
        /// The effect of the buffer on the source, as last reported to the flow control.
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

    /// Passes the element to a waiting task, or buffers it according to the policy.
    @inlinable
    func push(_ element: Element) {
        // A dropped element is released outside the lock, because its deinit may use this buffer.
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

    /// Appends the element, unless the buffer is full and the policy keeps the oldest elements.
    /// Returns the element that was dropped to make space; `nil` if none was.
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

    /// Ends the stream after the buffered elements, or immediately if `discarding` is `true`.
    @usableFromInline
    func finish(discarding: Bool = false) {
        var (waiters, discarded, subscription) = state.withLock { state in
            state.isFinished = true
            return (
                state.waiters.removeAll(), discarding ? state.elements.removeAll() : Ring(),
                exchange(&state.subscription, with: nil)
            )
        }
        subscription?.dispose()
        while let waiter = waiters.popFirst() {
            waiter.resume(returning: nil)
        }
        // The elements are released last and outside the lock, because a deinit may use this
        // buffer.
        withExtendedLifetime(discarded) {}
        updateFlow()
    }

    /// Reserves the buffer for one iterator. Returns `false` if another iterator reads it, or if
    /// it is empty and the source has completed.
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

    /// Ends the reservation, so that the next iterator can read the buffer.
    func endReading() {
        state.withLock { $0.isRead = false }
        updateFlow()
    }

    /// Reports to the flow control whether the buffer pauses the source.
    @usableFromInline
    func updateFlow() {
        guard let flow else { return }
        let (old, new) = state.withLock { state in
            let new = FlowControl.Hold(
                count: state.isFinished ? 0 : state.elements.count, of: policy, isRead: state.isRead
            )
            return (exchange(&state.hold, with: new), new)
        }
        flow.change(from: old, to: new)
    }

    /// Removes and returns the next element, waiting for it if the buffer is empty. Returns `nil`
    /// at the end of the stream or if the task is cancelled.
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
