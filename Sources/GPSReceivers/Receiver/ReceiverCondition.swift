// SPDX-License-Identifier: MIT
package import NMEA

/// How a receiver is. Consumers show it, or give up, by a `ConditionReporter`.
package enum ReceiverCondition: Equatable, Sendable {
    /// It has not been opened yet: that is being tried.
    case searching
    /// It cannot be opened for now; opening is tried again.
    case waiting(DeviceError)
    /// It is read. A problem of its bytes lasts until the next epoch.
    case open(device: String, problem: DeviceError?)
    /// It is open, live, and has completed no epoch for that time: ten seconds, or five of its cycles. The next epoch ends
    /// this.
    case silent(device: String, seconds: Int)
    /// It is gone, as by unplugging; it is waited for.
    case lost(DeviceError)
    /// The source has come to its end, or cannot be opened and never will be.
    case ended(Ending)

    /// The end of a source.
    // An object: every update is as large as the largest.
    package final class Ending: Sendable {
        /// The counts of the whole run.
        package let statistics: Statistics
        /// Why it has ended; `nil` where there was simply nothing more.
        package let error: DeviceError?

        /// Creates an end.
        package init(_ statistics: Statistics, _ error: DeviceError?) {
            self.statistics = statistics
            self.error = error
        }
    }

    /// Whether it is open, silent or not.
    package var isOpen: Bool {
        switch self {
        case .open, .silent: true
        case .searching, .waiting, .lost, .ended: false
        }
    }

    /// Whether it is over.
    package var hasEnded: Bool { if case .ended = self { true } else { false } }

    /// The updates by which it has come to this; none while it is searched for.
    var history: [ReceiverUpdate] {
        switch self {
        case .searching: []
        case .open(let device, _?), .silent(let device, _):
            [
                .condition(.open(device: device, problem: nil), after: .searching),
                .condition(self, after: .open(device: device, problem: nil)),
            ]
        case .open, .waiting, .lost, .ended: [.condition(self, after: .searching)]
        }
    }

    /// The error that keeps it from being read or understood.
    package var error: DeviceError? {
        switch self {
        case .searching, .silent: nil
        case .open(_, let problem): problem
        case .waiting(let error), .lost(let error): error
        case .ended(let ending): ending.error
        }
    }
}

extension ReceiverCondition.Ending: Equatable {
    package static func == (one: ReceiverCondition.Ending, other: ReceiverCondition.Ending) -> Bool
    { one === other }
}
