// SPDX-License-Identifier: MIT

/// What the copies of one stream value share: the first subscription and the way to further ones.
@usableFromInline
final class StreamStorage<Element: Sendable>: Sendable {
    @usableFromInline
    enum First: Sendable {
        case idle(StreamSource<Element>)
        case lent(StreamSource<Element>)
    }

    @usableFromInline let drops: DropCounter
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let connect: EventStream<Element>.Connect
    @usableFromInline let first: Locked<First>

    @inlinable
    init(
        _ policy: BufferingPolicy, drops: DropCounter = DropCounter(),
        connect: @escaping EventStream<Element>.Connect
    ) {
        self.drops = drops
        self.policy = policy
        self.connect = connect
        first = Locked(.idle(StreamSource(policy, countingDropsIn: drops, connect: connect)))
    }

    /// Lends the first subscription if it is not lent already, and makes a new one otherwise.
    func lease() -> StreamLease<Element> {
        let source = first.withLock { first -> StreamSource<Element>? in
            guard case .idle(let source) = first, !source.isExhausted else { return nil }
            first = .lent(source)
            return source
        }
        if let source {
            source.buffer.setRead(true)
            return StreamLease(source, of: self)
        }
        let another = StreamSource(policy, countingDropsIn: drops, connect: connect)
        another.buffer.setRead(true)
        return StreamLease(another, of: nil)
    }

    /// Takes the first subscription back from an iterator that is gone.
    func takeBack(_ source: StreamSource<Element>) {
        source.buffer.setRead(false)
        first.withLock { $0 = .idle(source) }
    }
}

/// A buffer and the subscription that fills it; the subscription ends with its last owner.
@usableFromInline
final class StreamSource<Element: Sendable>: Sendable {
    @usableFromInline let buffer: StreamBuffer<Element>
    @usableFromInline let subscription: Subscription

    @inlinable
    init(
        _ policy: BufferingPolicy, countingDropsIn drops: DropCounter,
        connect: EventStream<Element>.Connect
    ) {
        // The observer holds the buffer alone, so it doesn't keep its own subscription alive.
        let buffer = StreamBuffer<Element>(policy, countingDropsIn: drops)
        self.buffer = buffer
        subscription = connect({ buffer.push($0) }, { buffer.finish() })
    }

    deinit {
        subscription.dispose()
        buffer.finish(discarding: true)
    }

    var isExhausted: Bool { buffer.isExhausted }

    func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        let element = await buffer.next()
        if element == nil { subscription.dispose() }
        return element
    }
}

/// An iterator's hold on its subscription, given back or ended when the iterator goes away.
final class StreamLease<Element: Sendable>: Sendable {
    let source: StreamSource<Element>
    private let lender: StreamStorage<Element>?

    init(_ source: StreamSource<Element>, of lender: StreamStorage<Element>?) {
        self.source = source
        self.lender = lender
    }

    deinit {
        lender?.takeBack(source)
    }
}
