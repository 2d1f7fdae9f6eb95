// SPDX-License-Identifier: MIT

/// The values of an event as an asynchronous sequence that never throws.
///
/// The stream subscribes when it is created and buffers values until they are read. A property that
/// returns a stream creates a new one on each access. To read `droppedCount`, store the stream in a
/// variable.
///
/// The first iterator reads the values buffered since the stream was created. When it is released,
/// the next iterator continues with the remaining values. An iterator that is created while another
/// one exists has a separate buffer, which is empty at first. So two simultaneous loops over one
/// stream both receive all new values.
///
/// A loop ends when the event has completed and the buffer is empty, or at once when its task is
/// cancelled. The stream unsubscribes then, or when the stream and its iterators are released. So
/// `break` is enough to end the subscription of a stream that is not stored in a variable.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
    /// A function that attaches two closures to a source: one for values and one for the
    /// completion.
    public typealias Connect =
        @Sendable (
            _ onValue: @escaping @Sendable (Element) -> Void,
            _ onCompletion: @escaping @Sendable () -> Void
        ) -> Subscription

    /// The error type: a loop never throws.
    public typealias Failure = Never

    /// The buffer of the first iterator and, after its release, of the next one. An iterator that
    /// is created while this buffer is in use has its own buffer.
    @usableFromInline let mainBuffer: StreamBuffer<Element>
    @usableFromInline let route: EventRoute<Element>

    /// Creates a stream of a source's values.
    ///
    /// `connect` subscribes to the source. It is called immediately, and again for every iterator
    /// that is created while another one exists.
    @inlinable
    public init(buffering policy: BufferingPolicy, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(connect: connect))
    }

    /// Creates a stream of a source that pauses, by means of `flow`, while the stream's buffer is
    /// full.
    package init(buffering policy: BufferingPolicy, flow: FlowControl, connect: @escaping Connect) {
        self.init(buffering: policy, of: EventRoute(flow: flow, connect: connect))
    }

    @inlinable
    init(buffering policy: BufferingPolicy, of route: EventRoute<Element>) {
        self.route = route
        mainBuffer = StreamBuffer(policy, of: route, countingDropsIn: DropCounter())
    }

    /// The total number of values dropped because the buffer of an iterator was full.
    public var droppedCount: Int { mainBuffer.drops.count }

    /// Creates an iterator. If another iterator exists, the new one has a separate buffer, which is
    /// empty at first.
    public func makeAsyncIterator() -> Iterator {
        if mainBuffer.beginReading() { return Iterator(reader: Reader(mainBuffer)) }
        let buffer = StreamBuffer(
            mainBuffer.policy, of: route, countingDropsIn: mainBuffer.drops)
        buffer.beginReading()
        return Iterator(reader: Reader(buffer))
    }

    /// Reserves a buffer for an iterator until the iterator and its copies are released.
    fileprivate final class Reader: Sendable {
        let buffer: StreamBuffer<Element>

        init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

        deinit {
            buffer.endReading()
        }
    }

    /// The iterator of one loop.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// Returns the next value when it arrives; `nil` if the event has completed or the task is
        /// cancelled.
        public mutating func next() async -> Element? {
            await reader.buffer.next()
        }

        /// Returns the next value when it arrives; `nil` if the event has completed or the task is
        /// cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.buffer.next(isolation: actor)
        }
    }
}
