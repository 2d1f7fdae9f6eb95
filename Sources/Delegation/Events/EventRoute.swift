// SPDX-License-Identifier: MIT
import Dispatch

/// The way from a source to its subscribers, whatever the source is.
@usableFromInline
struct EventRoute<Value: Sendable>: Sendable {
    /// Where the source's owner has subscribers called; `nil` for a queue of each one's own.
    var executor: (any CallbackExecutor)?
    /// Lets a source that can wait do so.
    var flow: FlowControl?
    @usableFromInline let connect: EventStream<Value>.Connect

    /// The values that `convert` returns, without those for which it returns `nil`.
    func compactMap<Other: Sendable>(
        _ convert: @escaping @Sendable (Value) -> Other?
    ) -> EventRoute<Other> {
        EventRoute<Other>(executor: executor, flow: flow) { onValue, onCompletion in
            connect({ if let value = convert($0) { onValue(value) } }, onCompletion)
        }
    }

    /// Attaches an observer that is called on `executor`, by default as the source's owner chose.
    func subscribe(
        on executor: (any CallbackExecutor)?, buffering policy: BufferingPolicy,
        _ body: @escaping @Sendable (Value) -> Void,
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

extension EventRoute {
    @usableFromInline
    init(connect: @escaping EventStream<Value>.Connect) {
        self.init(executor: nil, flow: nil, connect: connect)
    }
}

/// A source with a route of its own: subscribers don't keep its event alive.
protocol RoutedSource<Payload>: EventSource {
    var ownRoute: EventRoute<Payload> { get }
}

extension EventSource {
    @usableFromInline var route: EventRoute<Payload> {
        (self as? any RoutedSource<Payload>)?.ownRoute
            ?? EventRoute { observe($0, onCompletion: $1) }
    }
}
