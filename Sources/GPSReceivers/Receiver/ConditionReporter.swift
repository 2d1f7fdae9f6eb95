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

/// What one consumer says of a receiver's condition, and when it gives up. All consumers say it in the same words.
package struct ConditionReporter {
    /// What follows from an update.
    package enum Report: Equatable, Sendable {
        /// To be shown, a line.
        case message(String)
        /// It is not waited for any more.
        case failure(DeviceError)
    }

    /// What the consumer does with an open receiver: `reading`.
    package var activity = "reading"
    /// What follows the receiver's name: ` as boat`.
    package var purpose = ""
    /// Whether messages are kept: that a receiver is opened or has come to its end is one, a rate that is only tried is not.
    package var isLog = false
    /// What else can be done while no receiver is plugged in: ` (…)`.
    package var alternative = ""
    /// What is wrong, in words.
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

    /// What follows from an update; `nil` where nothing does.
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
            // What serves objects will not serve sentences.
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
