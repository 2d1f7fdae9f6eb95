// SPDX-License-Identifier: MIT

/// What one consumer of a stream has yet to read, and the consumer while it waits.
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
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let drops: DropCounter
    private let live = LiveToken(.streams)

    @usableFromInline
    init(_ policy: BufferingPolicy, countingDropsIn drops: DropCounter) {
        self.policy = policy
        self.drops = drops
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
        var (waiters, discarded) = state.withLock { state in
            state.isFinished = true
            return (state.waiters.removeAll(), discarding ? state.elements.removeAll() : Ring())
        }
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
        guard let flow = drops.flow else { return }
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
