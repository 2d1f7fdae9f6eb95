// SPDX-License-Identifier: MIT
import Dispatch

/// The values of another source, converted or selected: what `map`, `compactMap` and `filter` return.
///
/// It keeps nothing itself: each observer and each stream subscribes to the source, and the closure is
/// called once for each of them, on the sender's thread. An event behind it isn't kept alive, and
/// passes on its completion.
public struct TransformedEvent<Payload: Sendable>: EventSource, FlowControlled, HasOwnExecutor {
    private let source: ValueSource<Payload>
    let flow: FlowControl?
    /// Where its source has closures called; `nil` for a queue of each subscription's own.
    let ownExecutor: (any CallbackExecutor)?

    init<Original>(
        _ original: some EventSource<Original>,
        _ convert: @escaping @Sendable (Original) -> Payload?
    ) {
        flow = (original as? any FlowControlled)?.flow
        ownExecutor = (original as? any HasOwnExecutor)?.ownExecutor
        let source = ValueSource(of: original)
        self.source = ValueSource { onValue, onCompletion in
            source.connect({ if let value = convert($0) { onValue(value) } }, onCompletion)
        }
    }

    /// Attaches an observer that is called on the sender's thread; see `Event.observe(_:onCompletion:)`.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        source.connect(body, onCompletion)
    }

    /// Attaches an observer on the executor of a control event or property behind it, else on a serial
    /// queue of its own.
    @discardableResult
    public func subscribe(
        buffering policy: BufferingPolicy = .newest(256),
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        let queue = DispatchQueue(label: "delegation.subscription")
        return DeliveryQueue(on: ownExecutor ?? queue, buffering: policy, flow: flow)
            .subscription(body, onCompletion: onCompletion, connect: source.connect)
    }

    /// A stream of the values from now on; see `Event.values(buffering:)`.
    public func values(buffering policy: BufferingPolicy = .newest(256)) -> EventStream<Payload> {
        guard let flow else { return EventStream(buffering: policy, connect: source.connect) }
        return EventStream(buffering: policy, flow: flow, connect: source.connect)
    }
}

extension EventSource {
    /// The source's values, converted by `transform` on the sender's thread.
    public func map<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value
    ) -> TransformedEvent<Value> {
        TransformedEvent(self, transform)
    }

    /// The source's values, converted by `transform` on the sender's thread, without those for which it
    /// returns `nil`.
    public func compactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value?
    ) -> TransformedEvent<Value> {
        TransformedEvent(self, transform)
    }

    /// The values that `isIncluded` accepts, which is called on the sender's thread.
    public func filter(
        _ isIncluded: @escaping @Sendable (Payload) -> Bool
    ) -> TransformedEvent<Payload> {
        TransformedEvent(self) { isIncluded($0) ? $0 : nil }
    }
}

/// A source that has its subscribers called on an executor of its owner's.
protocol HasOwnExecutor {
    var ownExecutor: (any CallbackExecutor)? { get }
}

extension ControlEvent: HasOwnExecutor {
    var ownExecutor: (any CallbackExecutor)? { executor }
}

extension ControlProperty: HasOwnExecutor {
    var ownExecutor: (any CallbackExecutor)? { executor }
}

/// An event that others can subscribe to without keeping it alive.
protocol WeaklyObservable<Payload>: AnyObject, EventSource {}

extension Event: WeaklyObservable {}
extension MethodEvent: WeaklyObservable {}

extension ValueSource {
    /// The values of a source; of an event as long as it exists.
    fileprivate init(of source: some EventSource<Value>) {
        guard let event = source as? any WeaklyObservable<Value> else {
            self.init { source.observe($0, onCompletion: $1) }
            return
        }
        self.init { [weak event] onValue, onCompletion in
            guard let event else {
                onCompletion()
                return Subscription()
            }
            return event.observe(onValue, onCompletion: onCompletion)
        }
    }
}
