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

/// A receiver of values: a binder or a control property.
public protocol ValueSink<Value>: Sendable {
    /// The type of the values.
    associatedtype Value: Sendable

    /// Passes a value to the sink.
    func send(_ value: Value)
    /// Called when a source that is bound to this sink has completed. Default: does nothing.
    func complete()
}

extension ValueSink {
    /// Does nothing.
    public func complete() {}
}

/// A sink that writes values to an object, usually to one of its properties.
///
/// The object is held weakly. Values that arrive after its deallocation are ignored. Writes run on
/// the binder's executor, in order and one at a time. With `.main`, the closure is isolated to the
/// main actor, so it may use a `@MainActor` object, and a value sent on the main actor is written at
/// once:
///
///     let title = Binder(viewModel, on: .main) { $0.title = $1 }
///     event.bind(to: title)
public struct Binder<Value: Sendable>: ValueSink {
    private let queue: DeliveryQueue
    /// Whether a value that is sent on the main actor is written before `send` returns.
    private let isOnMain: Bool
    private let write: @Sendable (Value) -> Void
    private let onCompletion: @Sendable () -> Void

    /// Creates a binder that calls `write` on `executor` as long as the target exists.
    ///
    /// `onCompletion` is called on `executor`, after the values, when a bound source completes.
    @_disfavoredOverload
    public init<Target: AnyObject & Sendable>(
        _ target: Target, on executor: some CallbackExecutor,
        _ write: @escaping @Sendable (Target, Value) -> Void,
        onCompletion: (@Sendable (Target) -> Void)? = nil
    ) {
        queue = DeliveryQueue(on: executor)
        // A caller may pass a `MainExecutor` as `some CallbackExecutor`.
        isOnMain = executor is MainExecutor
        self.write = { [weak target] value in
            if let target { write(target, value) }
        }
        self.onCompletion = { [weak target] in
            if let target { onCompletion?(target) }
        }
    }

    /// Creates a binder that calls `write` on the main actor as long as the target exists.
    ///
    /// `onCompletion` is called on the main actor, after the values, when a bound source completes.
    public init<Target: AnyObject & Sendable>(
        _ target: Target, on executor: MainExecutor,
        _ write: @escaping @MainActor @Sendable (Target, Value) -> Void,
        onCompletion: (@MainActor @Sendable (Target) -> Void)? = nil
    ) {
        queue = DeliveryQueue(on: executor)
        isOnMain = true
        // Safety: a `MainExecutor` runs both closures on the main queue, which is the main actor's.
        self.write = { [weak target] value in
            MainActor.assumeIsolated { if let target { write(target, value) } }
        }
        self.onCompletion = { [weak target] in
            MainActor.assumeIsolated { if let target { onCompletion?(target) } }
        }
    }

    /// Writes a value on the executor. At most 256 values wait for the executor; a further value
    /// replaces the oldest.
    ///
    /// A binder on `.main` that is called on the main actor writes the value before `send` returns,
    /// unless earlier values still wait.
    public func send(_ value: Value) {
        let call: @Sendable () -> Void = { [write] in write(value) }
        if isOnMain, MainQueue.isCurrent, queue.runNow(call) { return }
        queue.enqueue(call)
    }

    /// Calls the binder's `onCompletion` on the executor, after the values sent before.
    public func complete() {
        if isOnMain, MainQueue.isCurrent, queue.runNow(onCompletion) { return }
        queue.enqueueCompletion(onCompletion)
    }

    /// The number of values dropped because the executor was too slow.
    public var droppedCount: Int { queue.droppedCount }
}

extension EventSource {
    /// Sends every value and the completion to all sinks until the subscription is disposed.
    @discardableResult
    public func bind(
        to sink: some ValueSink<Payload>, _ others: any ValueSink<Payload>...
    ) -> Subscription {
        bind(to: [sink] + others) { $0 }
    }

    /// Sends every value and the completion to sinks of optional values until the subscription is
    /// disposed.
    @discardableResult
    public func bind(
        to sink: some ValueSink<Payload?>, _ others: any ValueSink<Payload?>...
    ) -> Subscription {
        bind(to: [sink] + others) { $0 }
    }

    private func bind<Value>(
        to sinks: [any ValueSink<Value>], _ convert: @escaping @Sendable (Payload) -> Value
    ) -> Subscription {
        // Sinks are called on the sender's thread, because binders have their own queues.
        observe { payload in
            for sink in sinks { sink.send(convert(payload)) }
        } onCompletion: {
            for sink in sinks { sink.complete() }
        }
    }
}

/// An event that an object reports. It completes when the object is deallocated.
///
/// Subscribers are called on the executor that was selected when the control event was created.
public struct ControlEvent<Payload: Sendable>: EventSource {
    /// A route that calls subscribers on the executor of the control event.
    public let route: EventRoute<Payload>

    /// Creates a control event that calls subscribers of `source`, such as an event, a
    /// `MethodEvent` or a route, on `executor`.
    ///
    /// It does not keep an event alive. So if an object owns the event, both complete when the
    /// object is deallocated.
    public init(_ source: some EventSource<Payload>, on executor: some CallbackExecutor) {
        self.init(source.route.on(executor))
    }

    /// Creates a control event of a control that you don't own, as RxCocoa's `controlEvent` does.
    ///
    /// `attach` is called for each observer, on the thread that subscribes. It attaches `event` to
    /// the control, and returns the closure that detaches it:
    ///
    ///     ControlEvent(knob, on: .immediate) { knob, event in
    ///         let id = knob.addCallback { event.send($0) }
    ///         return { knob in knob.removeCallback(id) }
    ///     }
    ///
    /// The control is held weakly. Its class determines the threads that may use it. An observer
    /// completes when the control releases `event`, and otherwise as the events of a proxy of this
    /// class do: when the control is deallocated if it is a `DelegateProxyHost`, or at the next
    /// `ProxyStorage.sweep()`.
    @_disfavoredOverload
    public init<Control: AnyObject>(
        _ control: Control, on executor: some CallbackExecutor,
        attach:
            @escaping @Sendable (_ control: Control, _ event: Event<Payload>) ->
            @Sendable (Control) -> Void
    ) {
        self.init(EventRoute(of: control, on: executor as any CallbackExecutor, attach: attach))
    }

    /// Creates a control event of a control of the main actor that you don't own.
    ///
    /// Both closures run on the main actor, even if a program subscribes or disposes on another
    /// thread. In other respects, this is the same as with another executor.
    public init<Control: AnyObject>(
        _ control: Control, on executor: MainExecutor,
        attach:
            @escaping @MainActor @Sendable (_ control: Control, _ event: Event<Payload>) ->
            @MainActor @Sendable (Control) -> Void
    ) {
        self.init(EventRoute(of: control, on: executor, attach: attach))
    }

    init(_ route: EventRoute<Payload>) { self.route = route }

    /// Attaches an observer that is called on the sender's thread, not on the executor of the
    /// control event.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        route.connect(body, onCompletion)
    }
}

/// A namespace for an object's events, separate from the object's own members.
///
///     extension EventNamespace where Base: Picker {
///         var didSelectContact: MethodEvent<Contact> { PickerProxy.proxy(for: base).didSelectContact }
///     }
///     picker.events.didSelectContact.subscribe { … }
///
/// For a `Sendable` class, which includes every `@MainActor` class, the namespace also has a member
/// for each writable property: a `Binder` that writes the property on the main actor.
@dynamicMemberLookup
public struct EventNamespace<Base> {
    /// The object or value that has the events.
    public let base: Base

    /// Creates the namespace of `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension EventNamespace: Sendable where Base: Sendable {}

extension EventNamespace where Base: AnyObject & Sendable {
    /// Returns a binder that writes a property on the main actor.
    public subscript<Value: Sendable>(
        dynamicMember property: any ReferenceWritableKeyPath<Base, Value> & Sendable
    ) -> Binder<Value> {
        self[binding: property, on: MainExecutor()]
    }

    /// Returns a binder that writes a property on `executor`. The property must be writable from
    /// any thread.
    public subscript<Value: Sendable>(
        binding property: any ReferenceWritableKeyPath<Base, Value> & Sendable,
        on executor: some CallbackExecutor
    ) -> Binder<Value> {
        Binder(base, on: executor) { $0[keyPath: property] = $1 }
    }
}

/// A type whose instances have an `events` namespace.
public protocol HasEvents {}

extension HasEvents {
    /// This object's events and binders.
    public var events: EventNamespace<Self> { EventNamespace(self) }
}
