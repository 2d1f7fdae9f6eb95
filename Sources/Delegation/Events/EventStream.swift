// SPDX-License-Identifier: MIT

/// An event as an asynchronous sequence that never throws.
///
/// The stream is subscribed when it is made, so it has the next value even if it is read later.
/// A property that makes a stream makes a new subscription on each access: keep the stream to read
/// its `droppedCount`.
/// Each iterator has a buffer of its own: two loops over one stream both see everything. The first
/// iterator takes over what has been buffered since the stream was made, and leaves the rest to
/// the next one when it is released; iterators beside it start with their creation.
///
/// A loop ends when the event completes, after what is buffered, and at once when its task is
/// cancelled. The event is unsubscribed then, or when the stream value and its iterators are
/// released: `break` out of a loop over a temporary stream is enough.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
    /// A way to subscribe: what to call with each value, and what to call at the end.
    public typealias Connect =
        @Sendable (
            _ onValue: @escaping @Sendable (Element) -> Void,
            _ onCompletion: @escaping @Sendable () -> Void
        ) -> Subscription

    /// A loop never throws.
    public typealias Failure = Never

    @usableFromInline let storage: StreamStorage<Element>

    /// Creates a stream of whatever `connect` subscribes to; it is called at once, and again for
    /// every iterator beside the first.
    @inlinable
    public init(buffering policy: BufferingPolicy, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(connect: connect))
    }

    /// As above, with a source that may wait for the stream.
    package init(buffering policy: BufferingPolicy, flow: FlowControl, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(flow: flow, connect: connect))
    }

    @inlinable
    init(buffering policy: BufferingPolicy, of route: EventRoute<Element>) {
        storage = StreamStorage(policy, of: route)
    }

    /// How many values this stream's iterators have lost to full buffers, all together.
    public var droppedCount: Int { storage.drops.count }

    /// Starts a consumer with its own buffer.
    public func makeAsyncIterator() -> Iterator {
        Iterator(lease: storage.lease())
    }

    /// One consumer's place in the stream.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let lease: StreamLease<Element>

        /// Waits for the next value; `nil` once the event has completed or the task is cancelled.
        public mutating func next() async -> Element? {
            await lease.buffer.next()
        }

        /// Waits for the next value; `nil` once the event has completed or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await lease.buffer.next(isolation: actor)
        }
    }
}
