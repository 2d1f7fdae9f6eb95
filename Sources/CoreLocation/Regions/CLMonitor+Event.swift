// SPDX-License-Identifier: MIT
import Delegation

extension CLMonitor {
    /// A change of whether a condition is satisfied.
    public struct Event: Sendable {
        /// Whether a condition is satisfied.
        public enum State: UInt, Hashable, Sendable {
            /// There has been no fix since it was added.
            case unknown = 0
            /// It is.
            case satisfied = 1
            /// It is not.
            case unsatisfied = 2
            /// It cannot be monitored.
            case unmonitored = 3
        }

        /// The condition's name.
        public let identifier: String
        /// Whether it is satisfied.
        public let state: State
        /// When that came to be, by the receiver's clock.
        public let date: Date
        /// Always `nil`.
        public var refinement: (any CLCondition)? { nil }

        /// Whether it is a condition that cannot be monitored.
        public var conditionUnsupported: Bool { state == .unmonitored }
        /// `false`.
        public var conditionLimitExceeded: Bool { false }
        /// `false`.
        public var persistenceUnavailable: Bool { false }
        /// `false`.
        public var accuracyLimited: Bool { false }
        /// `false`.
        public var authorizationDenied: Bool { false }
        /// `false`.
        public var authorizationDeniedGlobally: Bool { false }
        /// `false`.
        public var authorizationRestricted: Bool { false }
        /// `false`.
        public var authorizationRequestInProgress: Bool { false }
        /// `false`.
        public var insufficientlyInUse: Bool { false }
        /// `false`.
        public var serviceSessionRequired: Bool { false }
    }

    /// A condition and the last event of it.
    public struct Record: Sendable {
        /// The condition.
        public let condition: any CLCondition
        /// The last event; its state is `unknown` or the assumed one before the first.
        public let lastEvent: Event
    }

    /// Events as they come: the first loop sees all since the monitor was made, others all from their
    /// start on.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Event

        let stream: EventStream<Event>

        /// Begins a loop.
        public func makeAsyncIterator() -> Iterator {
            Iterator(events: stream.makeAsyncIterator())
        }

        /// One loop.
        public struct Iterator: AsyncIteratorProtocol {
            var events: EventStream<Event>.Iterator

            /// Waits for the next event; `nil` when the task is cancelled or the monitor is gone.
            public mutating func next() async throws -> Event? {
                await events.next()
            }

            /// Waits for the next event; `nil` when the task is cancelled or the monitor is gone.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(any Error) -> Event? {
                await events.next(isolation: actor)
            }
        }
    }
}
