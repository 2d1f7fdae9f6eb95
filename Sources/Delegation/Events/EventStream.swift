// SPDX-License-Identifier: MIT

/// An event as an asynchronous sequence that never throws.
///
/// The stream subscribes when it is created and buffers values until they are read. A property that
/// returns a stream creates a new one on each access: keep the stream to read its `droppedCount`.
///
/// Each iterator has its own buffer, so two loops over one stream both receive everything. The
/// first iterator reads the values buffered since the stream was created; when it is released, the
/// next iterator continues with the rest. Iterators created at the same time begin empty.
///
/// A loop ends when the event has completed and the buffer is empty, or at once when its task is
/// cancelled. The stream unsubscribes then, or when it and its iterators are released: `break` is
/// enough to end a loop over a temporary stream.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
    /// A function that subscribes to a source.
    public typealias Connect =
        @Sendable (
            _ onValue: @escaping @Sendable (Element) -> Void,
            _ onCompletion: @escaping @Sendable () -> Void
        ) -> Subscription

    /// A loop never throws.
    public typealias Failure = Never

    /// The buffer of one iterator after the other; other iterators at the same time have their own.
    @usableFromInline let mainBuffer: StreamBuffer<Element>
    @usableFromInline let route: EventRoute<Element>

    /// Creates a stream of the source that `connect` subscribes to.
    ///
    /// `connect` is called at once, and again for every iterator with a buffer of its own.
    @inlinable
    public init(buffering policy: BufferingPolicy, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(connect: connect))
    }

    /// Creates a stream of a source that can pause for the stream.
    package init(buffering policy: BufferingPolicy, flow: FlowControl, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(flow: flow, connect: connect))
    }

    @inlinable
    init(buffering policy: BufferingPolicy, of route: EventRoute<Element>) {
        self.route = route
        mainBuffer = StreamBuffer(policy, of: route, countingDropsIn: DropCounter())
    }

    /// The number of values that full buffers dropped, for all iterators of this stream together.
    public var droppedCount: Int { mainBuffer.drops.count }

    /// Creates an iterator with its own buffer.
    public func makeAsyncIterator() -> Iterator {
        if mainBuffer.beginReading() { return Iterator(reader: Reader(mainBuffer)) }
        let buffer = StreamBuffer(
            mainBuffer.policy, of: route, countingDropsIn: mainBuffer.drops)
        buffer.beginReading()
        return Iterator(reader: Reader(buffer))
    }

    /// Reads one buffer until the iterator and its copies are released.
    fileprivate final class Reader: Sendable {
        let buffer: StreamBuffer<Element>

        init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

        deinit {
            buffer.endReading()
        }
    }

    /// One consumer's position in the stream.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// Waits for the next value; `nil` if the event has completed or the task is cancelled.
        public mutating func next() async -> Element? {
            await reader.buffer.next()
        }

        /// Waits for the next value; `nil` if the event has completed or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.buffer.next(isolation: actor)
        }
    }
}
