// SPDX-License-Identifier: MIT

/// What the copies of one stream value share: its first buffer and the way to further ones.
@usableFromInline
final class StreamStorage<Element: Sendable>: Sendable {
    @usableFromInline let drops = DropCounter()
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let route: EventRoute<Element>
    /// The first buffer unless an iterator has it.
    @usableFromInline let idle: Locked<StreamBuffer<Element>?>

    @inlinable
    init(_ policy: BufferingPolicy, of route: EventRoute<Element>) {
        self.policy = policy
        self.route = route
        idle = Locked(StreamBuffer(policy, of: route, countingDropsIn: drops))
    }

    /// Lends the first buffer if there is something to read in it, and makes a new one otherwise.
    func lease() -> StreamLease<Element> {
        let first = idle.withLock { idle -> StreamBuffer<Element>? in
            guard let first = idle, !first.isExhausted else { return nil }
            idle = nil
            return first
        }
        let buffer = first ?? StreamBuffer(policy, of: route, countingDropsIn: drops)
        buffer.setRead(true)
        return StreamLease(buffer, of: first == nil ? nil : self)
    }

    /// Takes the first buffer back from an iterator that is gone.
    func takeBack(_ buffer: StreamBuffer<Element>) {
        buffer.setRead(false)
        idle.withLock { $0 = buffer }
    }
}

/// An iterator's hold on its buffer, given back or ended when the iterator goes away.
final class StreamLease<Element: Sendable>: Sendable {
    let buffer: StreamBuffer<Element>
    private let lender: StreamStorage<Element>?

    init(_ buffer: StreamBuffer<Element>, of lender: StreamStorage<Element>?) {
        self.buffer = buffer
        self.lender = lender
    }

    deinit {
        lender?.takeBack(buffer)
    }
}
