// SPDX-License-Identifier: MIT

/// Values as they come, for any number of loops. A loop never throws, but takes `try` as on Apple's systems.
public struct CoreLocationSequence<Element: Sendable>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

    /// Creates a sequence of loops that each begin with a call of `begin`.
    init(_ begin: @escaping @Sendable () -> any AsyncIteratorProtocol<Element, Never>) {
        self.begin = begin
    }

    /// Begins a loop.
    public func makeAsyncIterator() -> Iterator { Iterator(base: begin()) }

    /// One loop.
    public struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Element, Never>

        /// Waits for the next value; `nil` when there will be none, or the task is cancelled.
        public mutating func next() async throws -> Element? {
            await base.next(isolation: #isolation)
        }

        /// Waits for the next value; `nil` when there will be none, or the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> Element? {
            await base.next(isolation: actor)
        }
    }
}
