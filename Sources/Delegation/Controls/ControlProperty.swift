// SPDX-License-Identifier: MIT

/// A property that can be read, written and observed.
///
/// An observer first receives the current value, if there is one, then every change that the owner
/// sends. Values written through this sink are not sent to the observers. The property never fails
/// and completes with its owner. Subscribers are called on the executor that the owner chose.
public struct ControlProperty<Value: Sendable>: EventSource, ValueSink {
    /// The type of the values.
    public typealias Payload = Value

    private let changes: EventRoute<Value>
    private let read: @Sendable () -> Value?
    private let write: @Sendable (Value) -> Void

    /// Creates a control property whose owner sends `changes`; delivers them on `executor`.
    ///
    /// `get` returns `nil` if there is no value yet. `set` writes without sending a change. The event
    /// is not kept alive, so it completes with its owner.
    public init(
        changes: Event<Value>, on executor: some CallbackExecutor,
        get: @escaping @Sendable () -> Value?, set: @escaping @Sendable (Value) -> Void
    ) {
        self.init(changes.route(on: executor), get: get, set: set)
    }

    private init(
        _ changes: EventRoute<Value>,
        get: @escaping @Sendable () -> Value?, set: @escaping @Sendable (Value) -> Void
    ) {
        self.changes = changes
        read = get
        write = set
    }

    /// The current value; `nil` if there is none yet.
    public var value: Value? { read() }

    /// Writes the property at once, without sending a change to the observers.
    public func send(_ value: Value) {
        write(value)
    }

    /// The changes without the initial value.
    public var changed: ControlEvent<Value> { ControlEvent(changes) }

    /// A route to subscribers on the owner's executor that begins with the current value.
    public var route: EventRoute<Value> {
        EventRoute(executor: changes.executor, flow: changes.flow) {
            observe($0, onCompletion: $1)
        }
    }

    /// Attaches an observer that is called with the current value on this thread and with changes
    /// on the sender's thread, not on the owner's executor.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Value) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        let gate = InitialValueGate<Value> { notification in
            switch notification {
            case .change(let value): body(value)
            case .completion: onCompletion()
            }
        }
        let subscription = changes.connect(
            { gate.receive(.change($0)) }, { gate.receive(.completion) })
        gate.open(with: read())
        return subscription
    }

    /// Returns the same property converted to another type.
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

/// Delivers a property's initial value before its changes, even if they race.
///
/// Changes that arrive while the initial value is being read wait. They replace that value, which
/// may be outdated, so the first change is then the first element.
private final class InitialValueGate<Value: Sendable>: Sendable {
    enum Notification: Sendable {
        case change(Value), completion
    }

    /// The notifications that arrived before the gate opened; `nil` afterwards.
    private let waiting = Locked<[Notification]?>([])
    private let deliver: @Sendable (Notification) -> Void

    init(_ deliver: @escaping @Sendable (Notification) -> Void) {
        self.deliver = deliver
    }

    func receive(_ notification: Notification) {
        let isOpen = waiting.withLock { waiting in
            waiting?.append(notification)
            return waiting == nil
        }
        if isOpen { deliver(notification) }
    }

    /// Delivers `initial` or the notifications that replaced it, then opens the gate.
    func open(with initial: Value?) {
        var due = waiting.exchange([]) ?? []
        if due.isEmpty, let initial { due = [.change(initial)] }
        repeat {
            due.forEach(deliver)
            due = waiting.withLock { waiting in
                let late = waiting ?? []
                waiting = late.isEmpty ? nil : []
                return late
            }
        } while !due.isEmpty
    }
}
