// SPDX-License-Identifier: MIT
package import NMEA

/// The condition of a receiver. A `ConditionReporter` converts it to messages and failures.
package enum ReceiverCondition: Equatable, Sendable {
    /// The first attempt to open it has not finished yet.
    case searching
    /// It cannot be opened for now; opening is retried.
    case waiting(DeviceError)
    /// It is being read. A problem with its bytes lasts until the next epoch.
    case open(device: String, problem: DeviceError?)
    /// It is open and live, and has completed no epoch for ten seconds, or five of its cycles. The
    /// next epoch ends this condition.
    case silent(device: String, seconds: Int)
    /// It is gone, for example unplugged, and is waited for.
    case lost(DeviceError)
    /// The source has ended, or cannot be opened and never will be.
    case ended(Ending)

    /// The end of a source.
    // A class: otherwise every update would be as large as this.
    package final class Ending: Sendable {
        /// The statistics of the whole run.
        package let statistics: Statistics
        /// The error that ended it; `nil` at the regular end.
        package let error: DeviceError?

        /// Creates an end.
        package init(_ statistics: Statistics, _ error: DeviceError?) {
            self.statistics = statistics
            self.error = error
        }
    }

    /// Whether the device is open, silent or not.
    package var isOpen: Bool {
        switch self {
        case .open, .silent: true
        case .searching, .waiting, .lost, .ended: false
        }
    }

    /// Whether the source has ended.
    package var hasEnded: Bool { if case .ended = self { true } else { false } }

    /// The updates that lead from `.searching` to this condition.
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

    /// The error that prevents reading or decoding; `nil` if there is none.
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
