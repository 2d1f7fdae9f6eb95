// SPDX-License-Identifier: MIT

extension CLMonitor {
    /// A change of a condition's state.
    public struct Event: Sendable {
        /// The state of a condition.
        public enum State: UInt, Hashable, Sendable {
            /// No fix has been received since the condition was added.
            case unknown = 0
            /// The condition is satisfied.
            case satisfied = 1
            /// The condition is not satisfied.
            case unsatisfied = 2
            /// The condition cannot be monitored, because it is not a circle.
            case unmonitored = 3
        }

        /// The condition's name.
        public let identifier: String
        /// The new state.
        public let state: State
        /// The time of the change according to the receiver's clock. For an event created when the
        /// condition was added, the time of the system clock.
        public let date: Date
        /// Always `nil`. On Apple's systems, it is the condition for the one beacon that was found,
        /// if the monitored condition selects several.
        public var refinement: (any CLCondition)? { nil }

        /// Whether the condition cannot be monitored.
        public var conditionUnsupported: Bool { state == .unmonitored }
    }

    /// A condition of a monitor and its last event.
    public struct Record: Sendable {
        /// The condition that the monitor observes.
        public let condition: any CLCondition
        /// The last event. While a loop handles an event, this is the event before it. Before the
        /// first change of state, this is an event with the state that was assumed when the
        /// condition was added (default: `unknown`).
        public let lastEvent: Event
    }

    /// A sequence of events. A loop also receives the events since the monitor was created or the
    /// previous loop ended, at most the newest 256. A loop that starts while another one runs
    /// receives only new events.
    public typealias Events = CoreLocationSequence<Event>
}

// Documented together.
/// Reasons for a missing event on Apple's systems. They never occur on Linux.
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
