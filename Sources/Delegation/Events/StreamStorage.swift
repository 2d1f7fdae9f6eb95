// SPDX-License-Identifier: MIT

/// What the copies of one stream value share: the first subscription and the way to further ones.
@usableFromInline
final class StreamStorage<Element: Sendable>: Sendable {
    @usableFromInline
    enum First: Sendable {
        case idle(StreamSource<Element>)
        case lent(StreamSource<Element>)
    }

    @usableFromInline let drops = DropCounter()
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let connect: EventStream<Element>.Connect
    @usableFromInline let first: Locked<First>

    @inlinable
    init(_ policy: BufferingPolicy, connect: @escaping EventStream<Element>.Connect) {
        self.policy = policy
        self.connect = connect
        first = Locked(.idle(StreamSource(policy, countingDropsIn: drops, connect: connect)))
    }

    /// Lends the first subscription if nobody has it, and makes a new one otherwise.
    func lease() -> StreamLease<Element> {
        let source = first.withLock { first -> StreamSource<Element>? in
            guard case .idle(let source) = first, !source.isExhausted else { return nil }
            first = .lent(source)
            return source
        }
        if let source { return StreamLease(source, of: self) }
        return StreamLease(StreamSource(policy, countingDropsIn: drops, connect: connect), of: nil)
    }

    /// Takes the first subscription back from an iterator that is gone.
    func takeBack(_ source: StreamSource<Element>) {
        first.withLock { $0 = .idle(source) }
    }
}
