// SPDX-License-Identifier: MIT

/// The values of another source, converted or selected: what `map`, `compactMap` and `filter` return.
///
/// It keeps nothing itself: each observer and each stream subscribes to the source, and the closure is
/// called once for each of them, on the sender's thread. An event behind it isn't kept alive, and
/// passes on its completion.
public struct TransformedEvent<Payload: Sendable>: RoutedSource {
    let ownRoute: EventRoute<Payload>

    /// Attaches an observer that is called on the sender's thread; see `Event.observe(_:onCompletion:)`.
    @discardableResult
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        ownRoute.connect(body, onCompletion)
    }
}

extension EventSource {
    /// The source's values, converted by `transform` on the sender's thread.
    public func map<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value
    ) -> TransformedEvent<Value> {
        TransformedEvent(ownRoute: route.compactMap(transform))
    }

    /// The source's values, converted by `transform` on the sender's thread, without those for which it
    /// returns `nil`.
    public func compactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Payload) -> Value?
    ) -> TransformedEvent<Value> {
        TransformedEvent(ownRoute: route.compactMap(transform))
    }

    /// The values that `isIncluded` accepts, which is called on the sender's thread.
    public func filter(
        _ isIncluded: @escaping @Sendable (Payload) -> Bool
    ) -> TransformedEvent<Payload> {
        TransformedEvent(ownRoute: route.compactMap { isIncluded($0) ? $0 : nil })
    }
}
