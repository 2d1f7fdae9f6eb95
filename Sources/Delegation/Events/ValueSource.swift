// SPDX-License-Identifier: MIT

/// Anything that can be subscribed to, whatever is behind it.
@usableFromInline
struct ValueSource<Value: Sendable>: Sendable {
    @usableFromInline let connect: EventStream<Value>.Connect

    init(connect: @escaping EventStream<Value>.Connect) {
        self.connect = connect
    }

    /// The values of an event, which is not kept alive.
    @inlinable
    init(_ event: Event<Value>) {
        connect = { [weak event] onValue, onCompletion in
            guard let event else {
                onCompletion()
                return Subscription()
            }
            return event.observe(onValue, onCompletion: onCompletion)
        }
    }

    func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Other
    ) -> ValueSource<Other> {
        ValueSource<Other> { onValue, onCompletion in
            connect({ onValue(transform($0)) }, onCompletion)
        }
    }
}
