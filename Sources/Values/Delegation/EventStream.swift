// SPDX-License-Identifier: MIT

/// The values of an event as an asynchronous sequence that never throws.
///
/// The stream subscribes when it is created and buffers values until they are read. A property that
/// returns a stream creates a new one on each access. To read `droppedCount`, store the stream in a
/// variable.
///
/// The first iterator reads the values buffered since the stream was created. When it is released,
/// the next iterator continues with the remaining values. An iterator that is created while another
/// one exists has a separate buffer, which is empty at first. So two simultaneous loops over one
/// stream both receive all new values.
///
/// A loop ends when the event has completed and the buffer is empty, or at once when its task is
/// cancelled. The stream unsubscribes then, or when the stream and its iterators are released. So
/// `break` is enough to end the subscription of a stream that is not stored in a variable.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
    /// A function that attaches two closures to a source: one for values and one for the
    /// completion.
    public typealias Connect =
        @Sendable (
            _ onValue: @escaping @Sendable (Element) -> Void,
            _ onCompletion: @escaping @Sendable () -> Void
        ) -> Subscription

    /// The error type: a loop never throws.
    public typealias Failure = Never

    /// The buffer of the first iterator and, after its release, of the next one. An iterator that
    /// is created while this buffer is in use has its own buffer.
    @usableFromInline let mainBuffer: StreamBuffer<Element>
    @usableFromInline let route: EventRoute<Element>

    /// Creates a stream of a source's values.
    ///
    /// `connect` subscribes to the source. It is called immediately, and again for every iterator
    /// that is created while another one exists.
    @inlinable
    public init(buffering policy: BufferingPolicy, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(connect: connect))
    }

    /// Creates a stream of a source that pauses, by means of `flow`, while the stream's buffer is
    /// full.
    package init(buffering policy: BufferingPolicy, flow: FlowControl, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(flow: flow, connect: connect))
    }

    @inlinable
    init(buffering policy: BufferingPolicy, of route: EventRoute<Element>) {
        self.route = route
        mainBuffer = StreamBuffer(policy, of: route, countingDropsIn: DropCounter())
    }

    /// The total number of values dropped because the buffer of an iterator was full.
    public var droppedCount: Int { mainBuffer.drops.count }

    /// Creates an iterator. If another iterator exists, the new one has a separate buffer, which is
    /// empty at first.
    public func makeAsyncIterator() -> Iterator {
        if mainBuffer.beginReading() { return Iterator(reader: Reader(mainBuffer)) }
        let buffer = StreamBuffer(
            mainBuffer.policy, of: route, countingDropsIn: mainBuffer.drops)
        buffer.beginReading()
        return Iterator(reader: Reader(buffer))
    }

    /// Reserves a buffer for an iterator until the iterator and its copies are released.
    fileprivate final class Reader: Sendable {
        let buffer: StreamBuffer<Element>

        init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

        deinit {
            buffer.endReading()
        }
    }

    /// The iterator of one loop.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// Returns the next value when it arrives; `nil` if the event has completed or the task is
        /// cancelled.
        public mutating func next() async -> Element? {
            await reader.buffer.next()
        }

        /// Returns the next value when it arrives; `nil` if the event has completed or the task is
        /// cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.buffer.next(isolation: actor)
        }
    }
}

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

/// The handle of an attached observer or delegate. `dispose()` detaches the observer or delegate.
///
/// The observer or delegate stays attached when the subscription is released. To detach it when the
/// last reference is released, use `scoped`.
public final class Subscription: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>
    private let drops: DropCounter?

    /// Creates a subscription that runs `action` when it is disposed.
    public convenience init(_ action: @escaping @Sendable () -> Void) {
        self.init(countingDropsIn: nil, action)
    }

    /// Creates a subscription that runs `action` when it is disposed. Its `droppedCount` is read
    /// from `drops`.
    init(countingDropsIn drops: DropCounter?, _ action: (@Sendable () -> Void)?) {
        self.action = Locked(action)
        self.drops = drops
    }

    /// Creates a subscription that is already disposed.
    public convenience init() {
        self.init(countingDropsIn: nil, nil)
    }

    /// Sets the action of a subscription that was created without one.
    func setAction(_ action: @escaping @Sendable () -> Void) {
        _ = self.action.exchange(action)
    }

    /// Returns a closure that calls `onCompletion`, and then releases the action without running it.
    /// Otherwise, the action would retain the observer as long as the subscription is kept.
    func releasingAction(
        after onCompletion: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        { [weak self] in
            onCompletion()
            self?.releaseAction()
        }
    }

    /// Releases the action without running it, because the observer has received the completion.
    func releaseAction() {
        let old = action.withLock { action -> (@Sendable () -> Void)? in
            action == nil ? nil : exchange(&action, with: {})
        }
        withExtendedLifetime(old) {}
    }

    /// The number of values dropped because the observer was too slow. Always 0 for an observer
    /// that is called on the sender's thread.
    public var droppedCount: Int { drops?.count ?? 0 }

    /// Whether `dispose()` has been called.
    package var isDisposed: Bool { action.withLock { $0 == nil } }

    /// Detaches the observer or delegate. Disposing again has no effect.
    ///
    /// Afterwards, it is not called on this thread again. A call that has begun on another thread
    /// may still be running.
    public func dispose() {
        action.exchange(nil)?()
    }

    /// An object that disposes this subscription when the last reference to the object is released.
    public var scoped: ScopedSubscription { ScopedSubscription(self) }
}

/// Disposes a subscription when the last reference to this object is released.
public final class ScopedSubscription: Sendable {
    private let subscription: Subscription

    /// Creates an object that disposes `subscription` when it is deallocated.
    public init(_ subscription: Subscription) {
        self.subscription = subscription
    }

    deinit {
        subscription.dispose()
    }

    /// Disposes the subscription immediately. Disposing again has no effect.
    public func dispose() {
        subscription.dispose()
    }
}

/// A queue that reuses its storage. Elements are added at the end and removed at either end, in
/// constant time.
@usableFromInline
struct Ring<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @usableFromInline
    init() {}

    var first: Element? { count > 0 ? slots[head] : nil }

    @inlinable
    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        let end = head + count
        slots[end < slots.count ? end : end - slots.count] = element
        count += 1
    }

    @inlinable
    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            slots[head] = nil
            head = head + 1 < slots.count ? head + 1 : 0
            count -= 1
        }
        return slots[head]
    }

    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        let end = head + count
        let index = end < slots.count ? end : end - slots.count
        return exchange(&slots[index], with: nil)
    }

    /// Empties the queue. Returns its elements as a queue.
    mutating func removeAll() -> Ring { exchange(&self, with: Ring()) }

    @usableFromInline
    mutating func grow() {
        let ordered = slots[head...] + slots[..<head]
        slots = ordered + Array(repeating: nil, count: max(8, slots.count))
        head = 0
    }
}

extension Ring: Sendable where Element: Sendable {}

/// Calls a closure when a value has changed. Calls never overlap, and the last call receives the
/// final value.
///
/// If `check` is called while another thread runs the closure, it returns at once, and the other
/// thread compares the value again afterwards. So no thread waits, and the closure itself may
/// change the value.
///
/// Values are compared while a lock is held, so they must be `BitwiseCopyable`: their comparison
/// does not run other code.
final class ChangeNotifier<Value: Equatable & BitwiseCopyable & Sendable>: Sendable {
    private struct State {
        /// The value at the last comparison.
        var lastValue: Value
        /// Whether a thread is comparing the value or running the closure.
        var isRunning = false
        /// Whether `check` has been called since the last comparison began.
        var needsCheck = false

        /// Begins a comparison if `check` has been called since the last comparison began.
        /// Otherwise sets `isRunning` to `false` and returns `false`: the value need not be
        /// compared again.
        mutating func beginCheck() -> Bool {
            isRunning = needsCheck
            needsCheck = false
            return isRunning
        }
    }

    private let state: Locked<State>
    private let onChange: @Sendable (Value) -> Void

    init(initially value: Value, onChange: @escaping @Sendable (Value) -> Void) {
        state = Locked(State(lastValue: value))
        self.onChange = onChange
    }

    /// Compares the value that `current` returns with the previous one, and calls `onChange` if it
    /// differs. Returns at once if another thread is already comparing; that thread then compares
    /// again.
    func check(_ current: () -> Value) {
        let runsHere = state.withLock { state in
            state.needsCheck = true
            return !exchange(&state.isRunning, with: true)
        }
        guard runsHere else { return }
        while state.withLock({ $0.beginCheck() }) {
            let value = current()
            let hasChanged = state.withLock { exchange(&$0.lastValue, with: value) != value }
            if hasChanged { onChange(value) }
        }
    }
}
