// SPDX-License-Identifier: MIT

/// A property that can be read, written and followed.
///
/// An observer first gets the value as it is, if there is one, and then every change the owner
/// sends. What is written through this sink is not echoed to the observers. It never fails and
/// is over when its owner goes away. Observers are called on the executor the owner chose.
public struct ControlProperty<Value: Sendable>: RoutedSource, ValueSink {
    /// What observers are given.
    public typealias Payload = Value

    private let changes: EventRoute<Value>
    private let read: @Sendable () -> Value?
    private let write: @Sendable (Value) -> Void

    /// Creates the public face of a property whose owner sends `changes`, delivered on `executor`.
    ///
    /// `get` returns `nil` as long as there is no value. `set` writes without sending a change. The
    /// event is not kept alive: it completes with its owner.
    public init(
        changes: Event<Value>, on executor: some CallbackExecutor,
        get: @escaping @Sendable () -> Value?, set: @escaping @Sendable (Value) -> Void
    ) {
        self.init(changes.ownRoute(on: executor), get: get, set: set)
    }

    private init(
        _ changes: EventRoute<Value>,
        get: @escaping @Sendable () -> Value?, set: @escaping @Sendable (Value) -> Void
    ) {
        self.changes = changes
        read = get
        write = set
    }

    /// The value as it is; `nil` as long as there is none.
    public var value: Value? { read() }

    /// Writes the property, at once and without telling the observers.
    public func send(_ value: Value) {
        write(value)
    }

    /// The changes without the initial value.
    public var changed: ControlEvent<Value> { ControlEvent(ownRoute: changes) }

    var ownRoute: EventRoute<Value> {
        EventRoute(executor: changes.executor, flow: changes.flow) {
            observe($0, onCompletion: $1)
        }
    }

    /// Attaches an observer that is called with the value on this thread and with changes on the
    /// sender's, not on the owner's executor.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Value) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        let start = InitialValueGate(onValue: body, onCompletion: onCompletion)
        let subscription = changes.connect({ start.change($0) }, { start.complete() })
        start.open(with: read())
        return subscription
    }

    /// The same property seen through another type.
    public func map<Other: Sendable>(
        get transform: @escaping @Sendable (Value) -> Other,
        set back: @escaping @Sendable (Other) -> Value
    ) -> ControlProperty<Other> {
        ControlProperty<Other>(
            changes.compactMap(transform),
            get: { [read] in read().map(transform) }, set: { [write] in write(back($0)) })
    }
}

extension ControlProperty where Value == String? {
    /// The same property with an empty string for `nil`.
    public var orEmpty: ControlProperty<String> {
        map(get: { $0 ?? "" }, set: { $0 })
    }
}

/// Puts a property's initial value before its changes although both may come at once.
///
/// Changes that arrive while the initial value is being read wait. They make that value stale or
/// repeat it, so it is left out then and the first of them is the first element.
private final class InitialValueGate<Value: Sendable>: Sendable {
    /// What waits until the gate opens.
    private struct State: Sendable {
        var isOpen = false
        var changes: [Value] = []
        var isCompleted = false
    }

    private let state = Locked(State())
    private let onValue: @Sendable (Value) -> Void
    private let onCompletion: @Sendable () -> Void

    init(
        onValue: @escaping @Sendable (Value) -> Void, onCompletion: @escaping @Sendable () -> Void
    ) {
        self.onValue = onValue
        self.onCompletion = onCompletion
    }

    func change(_ value: Value) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.changes.append(value) }
            return state.isOpen
        }
        if isOpen { onValue(value) }
    }

    func complete() {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.isCompleted = true }
            return state.isOpen
        }
        if isOpen { onCompletion() }
    }

    /// Delivers `initial` or what has come in its place, and lets everything through from then on.
    func open(with initial: Value?) {
        var waiting = takeWaiting()
        if waiting?.changes.isEmpty == true, waiting?.isCompleted == false, let initial {
            onValue(initial)
        }
        while let (changes, isCompleted) = waiting {
            for change in changes { onValue(change) }
            if isCompleted { onCompletion() }
            waiting = takeWaiting(opening: true)
        }
    }

    /// What waits; `nil` when nothing does and the gate has been opened because of it.
    private func takeWaiting(opening: Bool = false) -> (changes: [Value], isCompleted: Bool)? {
        state.withLock { state in
            guard !state.isOpen else { return nil }
            if opening, state.changes.isEmpty, !state.isCompleted {
                state.isOpen = true
                return nil
            }
            defer {
                state.changes = []
                state.isCompleted = false
            }
            return (state.changes, state.isCompleted)
        }
    }
}
