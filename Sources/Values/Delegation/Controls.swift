// SPDX-License-Identifier: MIT
import Synchronization

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
    /// Whether the value may be read only on the main actor.
    private let isOnMain: Bool
    private let read: @Sendable () -> Value?
    private let write: @Sendable (Value) -> Void

    /// Creates a control property whose owner sends `changes`. Subscribers are called on
    /// `executor`.
    ///
    /// `get` returns the current value, or `nil` until there is one. `set` writes a value and must
    /// not send it as a change. `changes` is not kept alive, so it completes when its owner is
    /// deallocated.
    public init(
        changes: some EventSource<Value>, on executor: some CallbackExecutor,
        get: @escaping @Sendable () -> Value?, set: @escaping @Sendable (Value) -> Void
    ) {
        self.init(changes.route.on(executor), get: get, set: set)
    }

    /// Creates a property of a control that you don't own, as RxCocoa's `controlProperty` does.
    ///
    /// `attach` is called for each observer, on the thread that subscribes. It makes the control send
    /// the user's changes to `event`, and returns the closure that undoes this; see
    /// `ControlEvent.init(_:on:attach:)`. `get` reads the property on the calling thread, and `set`
    /// writes it there. The control is held weakly. Its class determines the threads that may use it.
    @_disfavoredOverload
    public init<Control: AnyObject>(
        _ control: Control, on executor: some CallbackExecutor,
        get: @escaping @Sendable (Control) -> Value?,
        set: @escaping @Sendable (Control, Value) -> Void,
        attach:
            @escaping @Sendable (_ control: Control, _ event: Event<Value>) ->
            @Sendable (Control) -> Void
    ) {
        let owner = WeakObject(control)
        self.init(
            EventRoute(of: control, on: executor as any CallbackExecutor, attach: attach),
            get: { owner.object.flatMap(get) },
            set: { value in if let control = owner.object { set(control, value) } })
    }

    /// Creates a property of a control of the main actor that you don't own.
    ///
    /// All closures run on the main actor, even if a program subscribes or writes on another thread.
    /// Reading `value` on another thread stops the program. In other respects, this is the same as
    /// with another executor.
    public init<Control: AnyObject>(
        _ control: Control, on executor: MainExecutor,
        get: @escaping @MainActor @Sendable (Control) -> Value?,
        set: @escaping @MainActor @Sendable (Control, Value) -> Void,
        attach:
            @escaping @MainActor @Sendable (_ control: Control, _ event: Event<Value>) ->
            @MainActor @Sendable (Control) -> Void
    ) {
        let owner = WeakObject(control)
        self.init(
            EventRoute(of: control, on: executor, attach: attach), isOnMain: true,
            // Safety: `value` is read on the main actor; otherwise this stops the program.
            get: { MainActor.assumeIsolated { owner.object.flatMap { get($0) } } },
            set: { value in
                // Safety: the main queue is the main actor's.
                MainQueue.perform {
                    MainActor.assumeIsolated {
                        if let control = owner.object { set(control, value) }
                    }
                }
            })
    }

    private init(
        _ changes: EventRoute<Value>, isOnMain: Bool = false,
        get: @escaping @Sendable () -> Value?, set: @escaping @Sendable (Value) -> Void
    ) {
        self.changes = changes
        self.isOnMain = isOnMain
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
        guard isOnMain else {
            gate.open(with: read())
            return subscription
        }
        // The changes were attached there before this, so the value is newer than their beginning.
        MainQueue.perform { [read] in gate.open(with: gate.isClosed ? nil : read()) }
        return Subscription { [weak gate] in
            gate?.close()
            subscription.dispose()
        }
    }

    /// Returns the property converted to another type. `transform` converts values that are read,
    /// `back` converts values that are written.
    public func map<Other: Sendable>(
        get transform: @escaping @Sendable (Value) -> Other,
        set back: @escaping @Sendable (Other) -> Value
    ) -> ControlProperty<Other> {
        ControlProperty<Other>(
            changes.compactMap(transform), isOnMain: isOnMain,
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
    private let closed = Atomic(false)

    /// Whether nothing is delivered any longer.
    var isClosed: Bool { closed.load(ordering: .acquiring) }

    func close() { closed.store(true, ordering: .releasing) }

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
            for notification in due where !isClosed { deliver(notification) }
            due = waiting.withLock { waiting in
                let late = waiting ?? []
                waiting = late.isEmpty ? nil : []
                return late
            }
        } while !due.isEmpty
    }
}
