// SPDX-License-Identifier: MIT
import GNSS

/// Converts a receiver's conditions to messages and errors for one consumer. All consumers use the
/// same texts.
package struct ConditionReporter {
    /// The action that a consumer must take after an update.
    package enum Report: Equatable, Sendable {
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
    package mutating func report(_ update: ReceiverUpdate) -> Report? {
        switch update {
        case .condition(let condition, let former): report(condition, after: former)
        case .notice(.tryingRate) where isLog: nil
        case .notice(let notice): .message(text(notice))
        case .epoch(let epoch): report(epoch.fix.integrity)
        case .satellites: nil
        }
    }

    /// Reports that an integrity warning or alarm begins, changes or ends.
    private mutating func report(_ new: Integrity?) -> Report? {
        let last = integrity
        integrity = new
        guard let new, last.map({ !new.isSameVerdict(as: $0) }) ?? true else { return nil }
        let isDoubtful = new.state == .warning || new.state == .alarm
        let wasDoubtful = last?.state == .warning || last?.state == .alarm
        guard isDoubtful || wasDoubtful else { return nil }
        return .message("\(device): integrity \(new.summary)")
    }

    private mutating func report(
        _ condition: ReceiverCondition, after former: ReceiverCondition
    ) -> Report? {
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
    ) -> Report? {
        if case .open = former { return nil }
        if case .silent = former { return .message("\(name) is back") }
        defer { (hasBeenOpen, isLost, causes) = (true, false, []) }
        device = name
        if isLost { return .message("\(name) is back") }
        let isNews = isLog || name != source.name || !causes.isEmpty
        return isNews ? .message("\(activity) \(name)\(purpose)") : nil
    }

    private mutating func waiting(_ error: DeviceError) -> Report? {
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
