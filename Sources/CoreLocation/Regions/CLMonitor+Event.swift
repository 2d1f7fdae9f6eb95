// SPDX-License-Identifier: MIT

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
    }

    /// A condition and the last event of it.
    public struct Record: Sendable {
        /// The condition that the event is about.
        public let condition: any CLCondition
        /// The last event; its state is `unknown` or the assumed one before the first.
        public let lastEvent: Event
    }

    /// Events as they come: the first loop sees all since the monitor was made, others all from their
    /// start on.
    public typealias Events = CoreLocationSequence<Event>
}

// Documented together.
/// States that never occur on Linux.
extension CLMonitor.Event {
    public var conditionLimitExceeded: Bool { false }
    public var persistenceUnavailable: Bool { false }
    public var accuracyLimited: Bool { false }
    public var authorizationDenied: Bool { false }
    public var authorizationDeniedGlobally: Bool { false }
    public var authorizationRestricted: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }
}
