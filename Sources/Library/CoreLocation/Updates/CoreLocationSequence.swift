// SPDX-License-Identifier: MIT

/// An asynchronous sequence for any number of loops. It never throws, but loops need `try`, as on
/// Apple's systems.
public struct CoreLocationSequence<Element: Sendable>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

    /// Creates a sequence that calls `begin` for each loop.
    init(_ begin: @escaping @Sendable () -> any AsyncIteratorProtocol<Element, Never>) {
        self.begin = begin
    }

    /// Creates the iterator of a loop.
    public func makeAsyncIterator() -> Iterator { Iterator(base: begin()) }

    /// The iterator of one loop.
    public struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Element, Never>

        /// Returns the next element when it arrives; `nil` at the end or on cancellation.
        public mutating func next() async throws -> Element? {
            await base.next(isolation: #isolation)
        }

        /// Returns the next element when it arrives; `nil` at the end or on cancellation.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> Element? {
            await base.next(isolation: actor)
        }
    }
}
