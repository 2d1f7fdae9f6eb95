// SPDX-License-Identifier: MIT
import GNSS
package import NMEA

/// The condition of a receiver. A `ConditionReporter` converts it to messages and failures.
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

/// Converts a receiver's conditions to messages and errors for one consumer. All consumers use the
/// same texts.
package struct ConditionReporter {
    /// The action that a consumer must take after an update.
    package enum Output: Equatable, Sendable {
        /// Show this message, one line. The error of a source that has ended is also a message.
        case message(String)
        /// End with this error, which no message has reported. The session keeps trying to open the
        /// receiver until the consumer ends its subscription.
        case failure(DeviceError)
    }

    /// The verb that begins the message about an opened receiver: `reading`.
    package var activity = "reading"
    /// The text after the receiver's name in the message that begins with `activity`. It has a
    /// leading space: ` as boat`.
    package var purpose = ""
    /// Whether the messages are written to a log. A log contains every opening and every end, but
    /// not the baud rates being tried.
    package var isLog = false
    /// The text to append to the message that no receiver is plugged in. It has a leading space:
    /// ` (…)`.
    package var alternative = ""
    /// Returns the text for an error.
    package var describe: @Sendable (DeviceError) -> String = { "\($0)" }

    private let source: any DeviceSource
    private let policy: WaitPolicy
    private var device: String
    private var isLost = false
    private var hasBeenOpen = false
    /// The integrity verdict of the last epoch.
    private var integrity: Integrity?
    /// The causes of waiting that have been reported since the device was last open.
    private var causes: Set<String> = []

    /// Returns the message that a receiver was disconnected.
    package static func lossMessage(_ receiver: String) -> String {
        "\(receiver) is gone: waiting for it to come back"
    }

    /// Creates a reporter for the receiver of a source.
    package init(_ source: any DeviceSource, _ policy: WaitPolicy) {
        self.source = source
        self.policy = policy
        device = source.name
    }

    /// Returns the message or error for an update; `nil` if there is nothing to report.
    package mutating func report(_ update: ReceiverUpdate) -> Output? {
        switch update {
        case .condition(let condition, let former): report(condition, after: former)
        case .notice(.tryingRate) where isLog: nil
        case .notice(let notice): .message(text(notice))
        case .epoch(let epoch): report(epoch.fix.integrity)
        case .satellites: nil
        }
    }

    /// Reports that an integrity warning or alarm begins, changes or ends.
    private mutating func report(_ new: Integrity?) -> Output? {
        let last = integrity
        integrity = new
        guard let new, last.map({ !new.isSameVerdict(as: $0) }) ?? true else { return nil }
        guard new.doubt != nil || last?.doubt != nil else { return nil }
        return .message("\(device): integrity \(new.summary)")
    }

    private mutating func report(
        _ condition: ReceiverCondition, after former: ReceiverCondition
    ) -> Output? {
        // A receiver that was waited for exists before its permissions are set.
        let wasUsable = hasBeenOpen || !causes.isEmpty
        if let error = policy.failure(in: condition, of: source, wasUsable: wasUsable) {
            return .failure(error)
        }
        switch condition {
        case .searching: return nil
        case .waiting(let error): return waiting(error)
        case .open(_, let problem?): return .message(describe(problem))
        case .open(let name, nil): return opened(name, after: former)
        case .silent(_, let seconds):
            return .message("no valid data from \(device) for \(seconds) s")
        case .lost(let error):
            // `.cancelled` means that the receiver is only being reopened.
            guard error.code != .cancelled else { return nil }
            isLost = true
            if error.code == .gpsd { return .message(describe(error)) }
            return .message(Self.lossMessage(device))
        case .ended(let ending):
            if let error = ending.error { return .message(describe(error)) }
            return isLog ? .message("\(device) has ended") : nil
        }
    }

    private mutating func opened(
        _ name: String, after former: ReceiverCondition
    ) -> Output? {
        if case .open = former { return nil }
        if case .silent = former { return .message("\(name) is back") }
        defer { (hasBeenOpen, isLost, causes) = (true, false, []) }
        device = name
        if isLost { return .message("\(name) is back") }
        let isNews = isLog || name != source.name || !causes.isEmpty
        return isNews ? .message("\(activity) \(name)\(purpose)") : nil
    }

    private mutating func waiting(_ error: DeviceError) -> Output? {
        // The vote itself sends messages about each of its receivers.
        guard source.parts.count == 1 else { return nil }
        guard causes.insert("\(error.code.rawValue) \(error.device)").inserted else { return nil }
        guard error.code == .noReceiver else { return .message("waiting: \(describe(error))") }
        return .message("no receiver is plugged in\(error.tried): waiting for one\(alternative)")
    }

    private func text(_ notice: ReceiverNotice) -> String {
        switch notice {
        case .tryingRate(let settings): return "trying \(device) at \(settings)"
        case .rateFound(let settings): return "\(device) sends at \(settings)"
        case .otherReader(let error?): return describe(error)
        case .otherReader(nil): return "\(device) is no longer read by another program"
        case .otherDatum(let datum):
            return "\(device) reports positions in the datum \(datum): set it to WGS 84, "
                + "which maps and programs expect"
        case .replay: return "\(device) sends a recording"
        case .oneDevice(let path):
            return "\(device) has several receivers: reading only \(path); to read another one, "
                + "append its name, as in gpsd://HOST/dev/ttyUSB0"
        case .member(let message): return message
        case .vote(let vote): return "vote: \(vote.summary)"
        case .noSentences(let bytes):
            let isSerial = source.capabilities.contains(.serialLine)
            guard bytes > 0 else {
                return "no data from \(device) yet"
                    + (isSerial ? " (is another program reading it, or is its power off?)" : "")
            }
            let advice =
                switch source.baudRate {
                case let baudRate?: " (try a --baud other than \(baudRate), or leave it out)"
                case nil: isSerial ? " (trying other baud rates)" : ""
                }
            return Plural.text(bytes, "byte")
                + " from \(device), but no valid sentence yet\(advice)"
        }
    }
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
