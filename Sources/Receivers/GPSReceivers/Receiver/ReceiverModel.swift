// SPDX-License-Identifier: MIT
package import GNSS

/// What is known about a receiver: the state that results from its updates, for one consumer. A
/// consumer passes each update to `receive`, and writes what has changed.
///
/// It also converts the updates to messages and errors, so that all consumers use the same texts.
package struct ReceiverModel: Sendable {
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

    /// The source of the receiver's data.
    package let source: any DeviceSource
    private let policy: WaitPolicy?
    /// The name of the device that was last opened; the source's name before the first opening.
    package var device: String { openedDevice ?? source.name }
    private var openedDevice: String?
    package private(set) var condition = ReceiverCondition.searching
    /// When the device was last opened or, if it was already open, its session was joined; `nil`
    /// before that.
    package private(set) var opened: MonotonicInstant?
    /// How often the device was opened again after the first time.
    package private(set) var reopenCount = 0
    /// The seconds from the last opening to the first fix with a position; `nil` before that fix.
    package private(set) var timeToFirstFix: Double?
    /// The origin of the last epoch since the device was opened; before it, that of the source when
    /// it was opened: a tty that is gone no longer shows what it was.
    package var origin: DataOrigin { dataOrigin ?? source.origin }
    private var dataOrigin: DataOrigin?
    /// Whether the receiver sends UBX; `nil` before the first epoch since the device was opened.
    package private(set) var sendsUBX: Bool?
    /// The last epoch; `nil` before the first one, and while the receiver is silent or not open.
    package private(set) var epoch: ReceiverEpoch?
    /// The last complete satellite view; empty while the receiver is silent or lost.
    package private(set) var satellites = SatelliteView()
    /// The state of the anchor watch and the route; `nil` if neither is used. A consumer sets it when
    /// the session's `NavigationWatch` sends it, which is before the epoch that it belongs to.
    package var navigation: Navigation?
    /// The notice that explains why no epoch is received, such as `noSentences`; `nil` if there is
    /// none, and after an epoch.
    package private(set) var searchNotice: ReceiverNotice?
    /// Another program that reads the tty; `nil` if there is none.
    package private(set) var otherReader: DeviceError?
    /// The datum of the positions; `nil` for WGS 84.
    package private(set) var datum: String?
    /// The only receiver that is read, if the server has several; otherwise `nil`.
    package private(set) var chosenReceiver: String?

    /// The integrity verdict of the last epoch, also while the receiver is silent or not open.
    package private(set) var integrity: Integrity?
    private var isLost = false
    /// The causes of waiting that have been reported since the device was last open.
    private var causes: Set<String> = []

    /// Returns the message that a receiver was disconnected.
    package static func lossMessage(_ receiver: String) -> String {
        "\(receiver) is gone: waiting for it to come back"
    }

    /// Creates the model of a source's receiver, before the first update.
    ///
    /// Without a policy, `receive` returns `nil` and does not use the source. It can then be called
    /// while a lock is held, although the source may be a program's own.
    package init(_ source: any DeviceSource, _ policy: WaitPolicy? = .always) {
        self.source = source
        self.policy = policy
    }

    /// The origin to show: a recording of a simulated receiver is a replay.
    package var shownOrigin: DataOrigin { source.origin == .replay ? .replay : origin }

    /// The notice about a problem that an epoch does not resolve; `nil` if there is none.
    package var lastingNotice: ReceiverNotice? {
        otherReader.map { .otherReader($0) } ?? datum.map { .otherDatum($0) }
    }

    /// Whether the device has been open.
    package var hasBeenOpen: Bool { opened != nil }

    /// Processes an update that was received at `now`. Returns the message or error for it; `nil` if
    /// there is nothing to report.
    @discardableResult
    package mutating func receive(
        _ update: ReceiverUpdate, at now: MonotonicInstant = .now
    ) -> Output? {
        switch update {
        case .condition(let new, let former):
            // A receiver that was waited for exists before its permissions are set.
            let wasUsable = hasBeenOpen || !causes.isEmpty
            change(to: new, after: former, at: now)
            guard let policy else { return nil }
            if let error = policy.failure(in: new, of: source, wasUsable: wasUsable) {
                return .failure(error)
            }
            return report(after: former)
        case .notice(let notice):
            receive(notice)
            guard policy != nil else { return nil }
            if case .tryingRate = notice, isLog { return nil }
            return .message(text(notice))
        case .epoch(let new):
            (epoch, satellites) = (new, new.satellites)
            (dataOrigin, sendsUBX) = (new.origin, new.sendsUBX)
            searchNotice = nil
            if new.fix.mode > .noFix, timeToFirstFix == nil {
                timeToFirstFix = opened.map { now.seconds(since: $0) }
            }
            return policy == nil ? nil : report(new.fix.integrity)
        case .satellites(let view):
            satellites = view
            return nil
        }
    }

    /// Whether the receiver is open and not silent.
    package var isReceiving: Bool { if case .open = condition { true } else { false } }

    private mutating func change(
        to new: ReceiverCondition, after former: ReceiverCondition, at now: MonotonicInstant
    ) {
        condition = new
        if case .open(let name, nil) = new, !former.isOpen {
            reopenCount += hasBeenOpen ? 1 : 0
            (openedDevice, opened) = (name, now)
            dataOrigin = policy == nil ? nil : source.origin
            (sendsUBX, timeToFirstFix) = (nil, nil)
            (otherReader, datum, chosenReceiver) = (nil, nil, nil)
        }
        if !isReceiving { epoch = nil }
        switch new {
        case .searching, .ended: break
        // The notice explains the silence.
        case .silent: satellites = SatelliteView()
        case .open: searchNotice = nil
        case .waiting, .lost:
            (satellites, searchNotice) = (SatelliteView(), nil)
            (otherReader, datum) = (nil, nil)
        }
    }

    private mutating func receive(_ notice: ReceiverNotice) {
        switch notice {
        case .tryingRate, .noSentences: searchNotice = notice
        case .otherReader(let error): otherReader = error
        case .otherDatum(let name): datum = name
        case .oneDevice(let path): chosenReceiver = path
        case .replay: dataOrigin = .replay
        case .rateFound, .member, .vote: break
        }
    }

    // MARK: Messages

    /// Reports that an integrity warning or alarm begins, changes or ends.
    private mutating func report(_ new: Integrity?) -> Output? {
        let last = exchange(&integrity, with: new)
        guard let new, last.map({ !new.isSameVerdict(as: $0) }) ?? true else { return nil }
        let isDoubtful = new.doubt != nil || last?.doubt != nil
        return isDoubtful ? .message("\(device): integrity \(new.summary)") : nil
    }

    private mutating func report(after former: ReceiverCondition) -> Output? {
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
        defer { (isLost, causes) = (false, []) }
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
