// SPDX-License-Identifier: MIT

extension CLMonitor {
    /// A change of a condition's state.
    public struct Event: Sendable {
        /// Whether a condition is satisfied.
        public enum State: UInt, Hashable, Sendable {
            /// No fix has been received since the condition was added.
            case unknown = 0
            /// The condition is satisfied.
            case satisfied = 1
            /// The condition is not satisfied.
            case unsatisfied = 2
            /// The condition cannot be monitored.
            case unmonitored = 3
        }

        /// The condition's name.
        public let identifier: String
        /// The new state.
        public let state: State
        /// The time of the change by the receiver's clock.
        public let date: Date
        /// Always `nil`.
        public var refinement: (any CLCondition)? { nil }

        /// Whether the condition cannot be monitored.
        public var conditionUnsupported: Bool { state == .unmonitored }
    }

    /// A condition and its last event.
    public struct Record: Sendable {
        /// The condition.
        public let condition: any CLCondition
        /// The last event. Before the first one, its state is `unknown` or the assumed state.
        public let lastEvent: Event
    }

    /// Events as they come: the first loop sees all since the monitor was made, others all from
    /// their start on.
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
