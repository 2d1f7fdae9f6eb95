// SPDX-License-Identifier: MIT
import Dispatch

/// The way from a source to its subscribers: what `map`, `compactMap` and `filter` return, and how
/// `subscribe` and `values` reach every source.
///
/// It keeps nothing itself: each observer and each stream subscribes to the source, and the closure of
/// a `map` is called once for each of them, on the sender's thread. An event behind it isn't kept
/// alive, and passes on its completion.
public struct EventRoute<Payload: Sendable>: EventSource {
    /// Where the source's owner has subscribers called; `nil` for a queue of each one's own.
    let executor: (any CallbackExecutor)?
    /// Lets a source that can wait do so.
    let flow: FlowControl?
    @usableFromInline let connect: EventStream<Payload>.Connect

    @usableFromInline
    init(
        executor: (any CallbackExecutor)? = nil, flow: FlowControl? = nil,
        connect: @escaping EventStream<Payload>.Connect
    ) {
        self.executor = executor
        self.flow = flow
        self.connect = connect
    }

    /// Itself.
    public var route: EventRoute { self }

    /// Attaches an observer that is called on the sender's thread; see `Event.observe(_:onCompletion:)`.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        connect(body, onCompletion)
    }

    /// Attaches an observer that is called on `executor`, by default as the source's owner chose.
    func subscribe(
        on executor: (any CallbackExecutor)?, buffering policy: BufferingPolicy,
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        let queue = DeliveryQueue(
            on: executor ?? self.executor ?? DispatchQueue(label: "delegation.subscription"),
            buffering: policy, flow: flow)
        let observer = EventObserver(body: body, onCompletion: onCompletion)
        let source = connect(
            { payload in
                queue.enqueue { if observer.isActive { observer.body(payload) } }
            },
            {
                queue.enqueue(essential: true) {
                    if observer.deactivate() { observer.onCompletion() }
                }
            })
        return Subscription(countingDropsIn: queue.drops) {
            observer.deactivate()
            source.dispose()
        }
    }
}

/// What `map`, `compactMap` and `filter` return.
public typealias TransformedEvent<Payload: Sendable> = EventRoute<Payload>

extension EventSource {
    /// The source's values, converted by `transform` on the sender's thread.
    public func map<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value
    ) -> EventRoute<Value> {
        compactMap(transform)
    }

    /// The source's values, converted by `transform` on the sender's thread, without those for which it
    /// returns `nil`.
    public func compactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value?
    ) -> EventRoute<Value> {
        let route = route
        return EventRoute<Value>(executor: route.executor, flow: route.flow) {
            onValue, onCompletion in
            route.connect({ if let value = transform($0) { onValue(value) } }, onCompletion)
        }
    }

    /// The values that `isIncluded` accepts, which is called on the sender's thread.
    public func filter(
        _ isIncluded: @escaping @Sendable (Payload) -> Bool
    ) -> EventRoute<Payload> {
        compactMap { isIncluded($0) ? $0 : nil }
    }
}
