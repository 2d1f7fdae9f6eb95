// SPDX-License-Identifier: MIT

/// A property that can be read, written and followed.
///
/// An observer first gets the value as it is, if there is one, and then every change the owner
/// sends. What is written through this sink is not echoed to the observers. It never fails and
/// is over when its owner goes away. Observers are called on the executor the owner chose.
public struct ControlProperty<Value: Sendable>: EventSource, ValueSink {
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

    /// The value as it is; `nil` as long as there is none.
    public var value: Value? { read() }

    /// Writes the property, at once and without telling the observers.
    public func send(_ value: Value) {
        write(value)
    }

    /// The changes without the initial value.
    public var changed: ControlEvent<Value> { ControlEvent(changes) }

    /// A way that begins with the value, to subscribers on the owner's executor.
    public var route: EventRoute<Value> {
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
        let start = InitialValueGate<Value> { news in
            switch news {
            case .change(let value): body(value)
            case .completion: onCompletion()
            }
        }
        let subscription = changes.connect(
            { start.receive(.change($0)) }, { start.receive(.completion) })
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
    enum News: Sendable {
        case change(Value), completion
    }

    /// What waits until the gate opens; `nil` from then on.
    private let waiting = Locked<[News]?>([])
    private let deliver: @Sendable (News) -> Void

    init(_ deliver: @escaping @Sendable (News) -> Void) {
        self.deliver = deliver
    }

    func receive(_ news: News) {
        let isOpen = waiting.withLock { waiting in
            waiting?.append(news)
            return waiting == nil
        }
        if isOpen { deliver(news) }
    }

    /// Delivers `initial` or what has come in its place, and lets everything through from then on.
    func open(with initial: Value?) {
        var news = waiting.exchange([]) ?? []
        if news.isEmpty, let initial { news = [.change(initial)] }
        repeat {
            news.forEach(deliver)
            news = waiting.withLock { waiting in
                let late = waiting ?? []
                waiting = late.isEmpty ? nil : []
                return late
            }
        } while !news.isEmpty
    }
}
