// SPDX-License-Identifier: MIT

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
