// SPDX-License-Identifier: MIT
import Dispatch

/// A connection that attaches observers and streams to a source. `map`, `compactMap` and `filter`
/// return a route that also converts or filters the values.
///
/// A route stores no values: each observer and each stream subscribes to the source separately. So
/// the closure passed to `map` is called once per value for each of them, on the sender's thread.
/// The route of an event does not keep the event alive and completes with it.
public struct EventRoute<Payload: Sendable>: EventSource {
    /// The executor that the source's owner selected. If it is `nil`, each subscription has its own
    /// queue.
    let executor: (any CallbackExecutor)?
    /// Pauses the source while a buffer is full; `nil` if the source cannot pause.
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

    /// This route with subscribers that are called on `executor`.
    func on(_ executor: any CallbackExecutor) -> EventRoute {
        EventRoute(executor: executor, flow: flow, connect: connect)
    }

    /// Attaches an observer that is called on the sender's thread; see
    /// `Event.observe(_:onCompletion:)`.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        connect(body, onCompletion)
    }

    /// Attaches an observer that is called on `executor`. If that is `nil`, it is called on the
    /// route's own executor.
    func subscribe(
        on executor: (any CallbackExecutor)?, buffering policy: BufferingPolicy,
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        let queue = DeliveryQueue(
            on: executor ?? self.executor ?? DispatchQueue(label: "delegation.subscription"),
            buffering: policy, flow: flow)
        let subscription = Subscription(countingDropsIn: queue.drops, nil)
        let observer = EventObserver(
            body: body, onCompletion: subscription.releasingAction(after: onCompletion))
        let source = connect(
            { payload in
                queue.enqueue { if observer.isActive { observer.body(payload) } }
            },
            {
                queue.enqueueCompletion {
                    if observer.deactivate() { observer.onCompletion() }
                }
            })
        subscription.setAction {
            observer.deactivate()
            source.dispose()
            queue.close()
        }
        // The source may have completed before the action was set.
        if !observer.isActive { subscription.releaseAction() }
        return subscription
    }
}

extension EventSource {
    /// Returns a source of the values converted by `transform`, which is called on the sender's
    /// thread.
    public func map<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value
    ) -> EventRoute<Value> {
        compactMap(transform)
    }

    /// Returns a source of the values converted by `transform`, which is called on the sender's
    /// thread. A value is omitted if `transform` returns `nil`.
    public func compactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value?
    ) -> EventRoute<Value> {
        let route = route
        return EventRoute<Value>(executor: route.executor, flow: route.flow) {
            onValue, onCompletion in
            route.connect({ if let value = transform($0) { onValue(value) } }, onCompletion)
        }
    }

    /// Returns a source of only those values that `isIncluded` accepts by returning `true`. It is
    /// called on the sender's thread.
    public func filter(
        _ isIncluded: @escaping @Sendable (Payload) -> Bool
    ) -> EventRoute<Payload> {
        compactMap { isIncluded($0) ? $0 : nil }
    }
}
