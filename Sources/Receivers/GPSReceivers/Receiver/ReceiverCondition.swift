// SPDX-License-Identifier: MIT
import GNSS
package import NMEA

/// The condition of a receiver. A `ReceiverModel` converts it to messages and failures.
package enum ReceiverCondition: Equatable, Sendable {
    /// The first attempt to open the source has not finished.
    case searching
    /// The receiver cannot be opened now. Further attempts follow.
    case waiting(DeviceError)
    /// The receiver is being read. If its bytes cannot be used, `problem` is the reason until the
    /// next epoch.
    case open(device: String, problem: DeviceError?)
    /// The receiver is open and live, but has not completed an epoch for ten seconds or for five of
    /// its cycles, whichever is longer, or has not sent any message in the first minute. The next
    /// epoch, or the first message, ends this condition.
    case silent(device: String, seconds: Int)
    /// The receiver was disconnected, for example unplugged. The session waits for it.
    case lost(DeviceError)
    /// The source has ended, or can never be opened.
    case ended(Ending)

    /// How a source has ended.
    // This is a class, because as a struct it would make every update larger.
    package final class Ending: Sendable {
        /// The statistics of all bytes since the session was started, including those before a
        /// disconnection.
        package let statistics: Statistics
        /// The error that ended the source; `nil` at the regular end.
        package let error: DeviceError?

        /// Whether the source had no usable data: no valid sentence, only a binary protocol, or no
        /// track.
        package var isEmpty: Bool {
            guard let error else { return statistics.valid == 0 }
            return error.code == .binaryProtocol || error.code == .noTrack
        }

        /// Creates an ending. `error` is `nil` for the regular end of a source.
        package init(_ statistics: Statistics, _ error: DeviceError?) {
            self.statistics = statistics
            self.error = error
        }
    }

    /// Whether the device is open, even if it is silent.
    package var isOpen: Bool {
        switch self {
        case .open, .silent: true
        case .searching, .waiting, .lost, .ended: false
        }
    }

    /// Whether the source has ended.
    package var hasEnded: Bool { if case .ended = self { true } else { false } }

    /// The updates that lead from `.searching` to this condition, for an observer that joins late.
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

/// How a consumer reacts if its receiver cannot be opened.
package enum WaitPolicy: Sendable {
    /// Waits regardless of the cause, because other programs depend on the consumer.
    case always
    /// Waits regardless of the cause, because other receivers are read too. The only exception is
    /// a gpsd server that was given as `tcp://…`, which is an error.
    case alongsideOthers
    /// Waits only if the receiver can be plugged in later or has been open before. Missing
    /// permissions for a connected device are an error, because waiting would not help.
    case whenUseful
    /// Waits regardless of the cause, except for missing permissions for a receiver that has not
    /// been open before.
    case unlessDenied
    /// Waits only if the receiver is missing or has been open before.
    case whileMissing

    /// Returns the error with which a consumer must end in a condition; `nil` if it waits, or if
    /// there is nothing to wait for. The end of the source is not considered.
    ///
    /// `wasUsable` is `true` if the receiver has been open, or if the policy has already allowed
    /// the consumer to wait for it.
    package func failure(
        in condition: ReceiverCondition, of source: any DeviceSource, wasUsable: Bool
    ) -> DeviceError? {
        switch (self, condition) {
        // The user named a gpsd server as `tcp://`, which sends sentences only on request, or the
        // server sends none.
        case (.alongsideOthers, .lost(let error)), (.whenUseful, .lost(let error)):
            error.code == .gpsd ? error : nil
        case (_, .waiting) where wasUsable: nil
        case (.whenUseful, .waiting(let error)):
            source.capabilities.contains(.hotPlug) && error.code != .permissionDenied ? nil : error
        case (.unlessDenied, .waiting(let error)): error.code == .permissionDenied ? error : nil
        case (.whileMissing, .waiting(let error)): error.isMissing ? nil : error
        default: nil
        }
    }
}
