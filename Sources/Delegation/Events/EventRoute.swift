// SPDX-License-Identifier: MIT
import Dispatch

/// The connection from a source to its subscribers, and the result of `map`, `compactMap` and
/// `filter`.
///
/// A route stores no values: each observer and each stream subscribes to the source. The closure of
/// a `map` is called once for each of them, on the sender's thread. The route of an event doesn't
/// keep the event alive and completes with it.
public struct EventRoute<Payload: Sendable>: EventSource {
    /// The executor that the source's owner chose; `nil` gives each subscription its own queue.
    let executor: (any CallbackExecutor)?
    /// Pauses the source, if it can pause.
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

    /// This route.
    public var route: EventRoute { self }

    /// Attaches an observer that is called on the sender's thread; see `Event.observe(_:onCompletion:)`.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        connect(body, onCompletion)
    }

    /// Attaches an observer that is called on `executor`; `nil` for the owner's choice.
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

extension EventSource {
    /// The source's values, converted by `transform` on the sender's thread.
    public func map<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value
    ) -> EventRoute<Value> {
        compactMap(transform)
    }

    /// The source's values, converted by `transform` on the sender's thread; values for which it
    /// returns `nil` are left out.
    public func compactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value?
    ) -> EventRoute<Value> {
        let route = route
        return EventRoute<Value>(executor: route.executor, flow: route.flow) {
            onValue, onCompletion in
            route.connect({ if let value = transform($0) { onValue(value) } }, onCompletion)
        }
    }

    /// The values for which `isIncluded` returns `true`; it is called on the sender's thread.
    public func filter(
        _ isIncluded: @escaping @Sendable (Payload) -> Bool
    ) -> EventRoute<Payload> {
        compactMap { isIncluded($0) ? $0 : nil }
    }
}
