// SPDX-License-Identifier: MIT

/// Whether a consumer waits for a receiver that cannot be opened.
package enum WaitPolicy: Sendable {
    /// It waits, whatever the cause: other programs depend on it.
    case always
    /// It waits unless the source is of another kind than was named: there are other receivers.
    case besideOthers
    /// It waits for a name that stays a receiver's, and for a receiver that has been open. Access to what is plugged in already
    /// does not come by itself, so that waiting would not help.
    case whereItHelps
}

/// Turns a receiver's conditions into messages and failures for one consumer. All consumers use the same words.
package struct ConditionReporter {
    /// The consequence of an update.
    package enum Report: Equatable, Sendable {
        /// A line to show.
        case message(String)
        /// The consumer gives up, for this reason.
        case failure(DeviceError)
    }

    /// The consumer's activity, for the message that a receiver is open: `reading`.
    package var activity = "reading"
    /// Text behind the receiver's name in that message: ` as boat`.
    package var purpose = ""
    /// Whether the messages are a log: it has each opening and each end, and no rates that are only tried.
    package var isLog = false
    /// Advice for a user without a receiver: ` (…)`.
    package var alternative = ""
    /// Describes an error.
    package var describe: @Sendable (DeviceError) -> String = { "\($0)" }

    private let source: any DeviceSource
    private let policy: WaitPolicy
    private var device: String
    private var isLost = false
    private var hasBeenOpen = false
    /// The causes reported since the device was last open.
    private var causes: Set<String> = []

    /// Reports on the receiver of a source.
    package init(_ source: any DeviceSource, _ policy: WaitPolicy) {
        self.source = source
        self.policy = policy
        device = source.name
    }

    /// Returns the consequence of an update; `nil` if there is none.
    package mutating func report(_ update: ReceiverUpdate) -> Report? {
        switch update {
        case .condition(let condition, let former): report(condition, after: former)
        case .notice(.trying) where isLog: nil
        case .notice(let notice): .message(words(notice))
        case .epoch, .satellites: nil
        }
    }

    private mutating func report(
        _ condition: ReceiverCondition, after former: ReceiverCondition
    ) -> Report? {
        switch condition {
        case .searching: return nil
        case .waiting(let error): return waiting(error)
        case .open(_, let problem?): return .message(describe(problem))
        case .open(let name, nil): return opened(name, after: former)
        case .silent(_, let seconds):
            return .message("nothing has come from \(device) for \(seconds) s")
        case .lost(let error):
            // A gpsd serves objects and will never serve sentences.
            if error.code == .gpsd, policy != .always { return .failure(error) }
            // It is only opened anew.
            guard error.code != .cancelled else { return nil }
            isLost = true
            return .message("\(device) is gone: waiting for it to come back")
        case .ended(let ending):
            if let error = ending.error { return .message(describe(error)) }
            return isLog ? .message("\(device) has come to its end") : nil
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
        let isRefused = error.code == .permissionDenied && causes.isEmpty && !hasBeenOpen
        let isHelpful = source.capabilities.contains(.hotPlug) && !isRefused
        guard policy != .whereItHelps || hasBeenOpen || isHelpful else { return .failure(error) }
        guard causes.insert("\(error.code.rawValue) \(error.device)").inserted else { return nil }
        guard error.code == .noReceiver else { return .message("waiting: \(describe(error))") }
        var tried = ""
        if case .notUnderstood(let ttys) = error.detail {
            tried = " (nothing was understood from \(ttys.joined(separator: ", ")))"
        }
        return .message("no receiver is plugged in\(tried): waiting for one\(alternative)")
    }

    private func words(_ notice: LineNotice) -> String {
        switch notice {
        case .trying(let settings): return "listening to \(device) at \(settings)"
        case .understood(let settings): return "\(device) speaks at \(settings)"
        case .shared(let error): return describe(error)
        case .unheard(let bytes):
            let isSerial = source.capabilities.contains(.serialLine)
            guard bytes > 0 else {
                return "nothing has come from \(device) yet"
                    + (isSerial ? " (does another program read it, or has it no power?)" : "")
            }
            let advice =
                switch source.baudRate {
                case let baudRate?: " (try another --baud than \(baudRate), or none)"
                case nil: isSerial ? " (trying other baud rates)" : ""
                }
            return "\(bytes) bytes from \(device), but no valid sentence yet\(advice)"
        }
    }
}
