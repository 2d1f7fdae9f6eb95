// SPDX-License-Identifier: MIT
package import GNSS

/// An update that a receiver's session sends to its consumers.
package enum ReceiverUpdate: Sendable {
    /// The condition has changed. A consumer that joins later first receives the current condition,
    /// with `.searching` as the previous one.
    case condition(ReceiverCondition, after: ReceiverCondition)
    /// Information about the source. Reading continues.
    case notice(ReceiverNotice)
    /// An epoch is complete.
    case epoch(ReceiverEpoch)
    /// The lists of the satellites in view have been received completely.
    case satellites(SatelliteView)

    /// The device that has just been opened or reopened; `nil` for all other updates.
    package var openedDevice: String? {
        guard case .condition(.open(let device, nil), let former) = self, !former.isOpen else {
            return nil
        }
        return device
    }
}

/// Information about an open source that does not change its condition.
package enum ReceiverNotice: Equatable, Sendable {
    /// Another baud rate is being tried. Sent only while all rates are tried for the first time.
    case tryingRate(LineSettings)
    /// Messages are received with these settings, after others were tried.
    case rateFound(LineSettings)
    /// No valid sentence was received in the first five seconds after opening. `bytes` is the
    /// number of bytes received in this time. Sent at most once per opening.
    case noSentences(bytes: Int)
    /// Another program reads the same tty, so that each program receives only some of the bytes.
    /// Sent with the error `.otherReader` when this is detected, and with `nil` when it has ended.
    case otherReader(DeviceError?)
    /// The receiver reports that its positions are in this datum, and not in WGS 84. Sent once for
    /// each datum.
    case otherDatum(String)
    /// The server that sends the data states that it is a replay.
    case replay
    /// Several devices of the server have positions, and only this one is read.
    case oneDevice(String)
    /// A message about one of several receivers that a `ConsensusSource` combines.
    case member(String)
    /// The result of the vote of a `ConsensusSource`, after it has changed.
    case vote(Vote)
}

/// One epoch of a receiver. It is a class because it is large, and many consumers share it.
package final class ReceiverEpoch: Sendable {
    /// The receiver's fix.
    package let fix: Fix
    /// The last complete satellite view.
    package let satellites: SatelliteView
    /// The arrival times of the epoch's bytes; `nil` for a recording.
    package let arrival: EpochArrival?
    /// The device's name.
    package let device: String
    /// The origin of the bytes; `.unknown` if it has not been determined yet.
    package let origin: DataOrigin
    /// Whether the epoch's date is final: the fix has a date, or the receiver apparently never
    /// sends one.
    package let isDateSettled: Bool
    /// The system's time when the epoch was received; `nil` if the fix has a time itself.
    package let received: UTCTime?
    /// Whether the receiver has sent UBX since the device was opened.
    package let sendsUBX: Bool

    /// Creates an epoch. The default values are for epochs that are not received but created by a
    /// program.
    package init(
        fix: Fix, satellites: SatelliteView, arrival: EpochArrival?, device: String,
        origin: DataOrigin, isDateSettled: Bool = true, received: UTCTime? = nil,
        sendsUBX: Bool = false
    ) {
        self.fix = fix
        self.satellites = satellites
        self.arrival = arrival
        self.device = device
        self.origin = origin
        self.isDateSettled = isDateSettled
        self.received = received
        self.sendsUBX = sendsUBX
    }

    /// Returns a copy of the epoch with another fix.
    func with(_ fix: Fix) -> ReceiverEpoch {
        ReceiverEpoch(
            fix: fix, satellites: satellites, arrival: arrival, device: device, origin: origin,
            isDateSettled: isDateSettled, received: received, sendsUBX: sendsUBX)
    }
}

/// The importance of a message for the operator.
package enum MessageLevel: String, CaseIterable, Comparable, Sendable {
    /// The command ends, or cannot do some of its work.
    case error
    /// The operator should act, or data is missing.
    case warning
    /// A routine message.
    case info

    /// Returns whether `left` is more important than `right`.
    package static func < (left: MessageLevel, right: MessageLevel) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        }
    }
}

/// A message for the operator, before it is logged.
package struct LeveledMessage: Equatable, Sendable {
    /// The text, one line.
    package var text: String
    /// The importance of the message.
    package var level: MessageLevel

    package init(_ text: String, _ level: MessageLevel = .info) {
        (self.text, self.level) = (text, level)
    }
}

/// What causes a message. Of the messages with one cause, only some are written in a minute.
package enum MessageCause: Hashable, Sendable {
    /// The text of the message, without the names, numbers and values in it.
    case text
    /// A kind of event of one receiver or client, such as `silent /dev/ttyUSB0`.
    case event(String)
    /// An event whose number data cannot increase. Its messages are always written.
    case limited
}

/// Receives messages for the operator.
package struct MessageLog: Sendable {
    private let write: @Sendable (String, MessageLevel, MessageCause) -> Void

    /// Creates a log that calls a closure.
    package init(_ write: @escaping @Sendable (String, MessageLevel) -> Void) {
        self.write = { text, level, _ in write(text, level) }
    }

    /// Creates a log that calls a closure with the cause of each message, too.
    package init(
        withCauses write: @escaping @Sendable (String, MessageLevel, MessageCause) -> Void
    ) {
        self.write = write
    }

    /// Adds a message.
    package func callAsFunction(
        _ text: String, _ level: MessageLevel = .info, cause: MessageCause = .text
    ) {
        write(text, level, cause)
    }
}

extension ReceiverUpdate {
    /// Returns the cause of the message that reports this update of the receiver with this name.
    package func cause(of receiver: String) -> MessageCause {
        let kind: String
        switch self {
        // The baud rates are tried once.
        case .notice(.tryingRate): return .limited
        // The text names the receiver.
        case .notice(.member): return .text
        case .condition(let condition, _):
            kind =
                switch condition {
                case .searching: "searching"
                case .waiting: "waiting"
                case .open: "open"
                case .silent: "silent"
                case .lost: "lost"
                case .ended: "ended"
                }
        case .notice(let notice):
            kind =
                switch notice {
                case .tryingRate, .rateFound: "rate"
                case .noSentences: "no sentences"
                case .otherReader: "other reader"
                case .otherDatum: "datum"
                case .replay: "replay"
                case .oneDevice: "one device"
                case .member, .vote: "vote"
                }
        case .epoch: kind = "integrity"
        case .satellites: kind = "satellites"
        }
        return .event("\(kind) \(receiver)")
    }

    /// The importance of the message that reports this update.
    package var level: MessageLevel {
        switch self {
        case .condition(.waiting, _), .condition(.silent, _), .condition(.lost, _),
            .condition(.open(_, .some), _), .notice(.noSentences), .notice(.otherReader(.some)),
            .notice(.oneDevice), .notice(.otherDatum):
            .warning
        case .condition(.ended(let ending), _): ending.error == nil ? .info : .warning
        case .epoch(let epoch): epoch.fix.integrity?.doubt == nil ? .info : .warning
        case .condition, .notice, .satellites: .info
        }
    }
}

extension ReceiverNotice {
    /// Returns the problem that the notice reports, as a short text for a display that shows the
    /// receiver's name elsewhere; `nil` if there is none. A `ReceiverModel` has the complete
    /// messages.
    package func summary(of source: any DeviceSource) -> String? {
        switch self {
        case .tryingRate(let settings): "listening at \(settings)"
        case .noSentences(bytes: 0): "no data arrives"
        case .noSentences(let bytes):
            "\(Plural.text(bytes, "byte")), but no valid sentence yet"
                + (source.capabilities.contains(.serialLine) ? ": wrong baud rate?" : "")
        case .otherReader(let error): error.map { "\($0)" }
        case .otherDatum(let datum): "datum \(datum), not WGS 84"
        case .rateFound, .replay, .oneDevice, .member, .vote: nil
        }
    }
}

extension ReceiverUpdate {
    /// The reason for the loss of the position, as a short text for the anchor watch; `nil` if the
    /// update does not mean that the position is lost.
    var lossReason: String? {
        switch self {
        case .condition(.waiting, _): "the receiver cannot be opened"
        case .condition(.lost, _): "the receiver is gone"
        case .condition(.silent, _), .notice(.noSentences): "the receiver is silent"
        case .condition(.ended, _): "the input has ended"
        case .condition, .notice, .epoch, .satellites: nil
        }
    }
}
