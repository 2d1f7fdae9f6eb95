// SPDX-License-Identifier: MIT

/// A property of an object that can be read, written and observed.
///
/// An observer first receives the current value, if there is one, then every change that the object
/// (the owner) sends. Values written with `send` are not reported to observers. The property
/// completes when its owner is deallocated. Subscribers are called on the executor that was
/// selected when the control property was created.
public struct ControlProperty<Value: Sendable>: EventSource, ValueSink {
    /// The type of the values.
    public typealias Payload = Value

    private let changes: EventRoute<Value>
    private let read: @Sendable () -> Value?
    private let write: @Sendable (Value) -> Void

    /// Creates a control property whose owner sends `changes`. Subscribers are called on
    /// `executor`.
    ///
    /// `get` returns the current value, or `nil` until there is one. `set` writes a value and must
    /// not send it as a change. `changes` is not kept alive, so it completes when its owner is
    /// deallocated.
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

    /// The current value; `nil` until there is one.
    public var value: Value? { read() }

    /// Writes the property immediately. Observers are not notified.
    public func send(_ value: Value) {
        write(value)
    }

    /// A control event of the changes only. It does not begin with the current value.
    public var changed: ControlEvent<Value> { ControlEvent(changes) }

    /// A route that calls subscribers on the executor of the control property, first with the
    /// current value.
    public var route: EventRoute<Value> {
        EventRoute(executor: changes.executor, flow: changes.flow) {
            observe($0, onCompletion: $1)
        }
    }

    /// Attaches an observer. It is called with the current value on the calling thread, then with
    /// changes on the sender's thread.
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

    /// Returns the property converted to another type. `transform` converts values that are read,
    /// `back` converts values that are written.
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
    /// The property with `nil` replaced by an empty string.
    public var orEmpty: ControlProperty<String> {
        map(get: { $0 ?? "" }, set: { $0 })
    }
}

/// Delivers a property's initial value before its changes, even if another thread sends a change at
/// the same time.
///
/// Changes that arrive while the initial value is being read are delivered instead of it, because
/// it may be outdated.
private final class InitialValueGate<Value: Sendable>: Sendable {
    enum Notification: Sendable {
        case change(Value), completion
    }

    /// The notifications that wait for the gate to open; `nil` when it is open.
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

    /// Delivers the waiting notifications or, if there are none, `initial`. Then opens the gate.
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
