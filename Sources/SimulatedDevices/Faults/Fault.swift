// SPDX-License-Identifier: MIT
public import GPSReceivers

/// A fault with its time.
///
/// The text form is one line: `30s: jam for 20s`, `1min: bad-checksums 5% for 10s`; see
/// ``FaultScript``.
public struct Fault: Hashable, Sendable {
    /// The kind of fault.
    public var kind: Kind
    /// The start in seconds after the first epoch; the first epoch at or after it is affected.
    public var start: Double
    /// The duration in seconds; `nil` for no end.
    public var duration: Double?
    /// The probability, 0 to 1, that a bit, byte, sentence or epoch is affected; which one depends
    /// on the kind.
    public var probability: Double

    /// Creates a fault; it affects everything unless a probability is given.
    public init(
        _ kind: Kind, at start: Double = 0, for duration: Double? = nil, probability: Double = 1
    ) {
        self.kind = kind
        self.start = start
        self.duration = duration
        self.probability = probability
    }

    /// Returns whether the fault is active, `seconds` after the first epoch.
    public func isActive(at seconds: Double) -> Bool {
        guard seconds >= start else { return false }
        guard let duration else { return true }
        return seconds < start + duration
    }

    /// The kinds of fault.
    public enum Kind: Hashable, Sendable {
        // Faults of the line.

        /// Bits are inverted.
        case bitErrors
        /// Bytes are lost.
        case droppedBytes
        /// Bytes are repeated.
        case repeatedBytes
        /// Sentences are cut off, without checksum or line end.
        case cutSentences
        /// Sentences lose their line end, so that the next one follows on the same line.
        case gluedSentences
        /// Sentences have a wrong checksum.
        case badChecksums
        /// The receiver sends at another rate than the line's, so its bits are sampled at the wrong
        /// times.
        case wrongBaud(BaudRate)
        /// Complete binary frames are between the sentences.
        case binaryFrames(BinaryFrames)
        /// Truncated binary frames are between the sentences.
        case cutBinaryFrames(BinaryFrames)

        // Faults of timing.

        /// Nothing is sent, and the data is lost.
        case silence
        /// Nothing is sent until the end of the fault, then everything at once.
        case stall
        /// As many epochs are sent together.
        case burst(Int)
        /// Epochs are late by up to the given number of seconds.
        case late(Double)
        /// The device is unplugged in the middle of an epoch, and plugged in again as the same device
        /// or under another name.
        case unplug(as: String?)

        // Faults of the supply and of commands.

        /// The supply is off, and the receiver starts again afterwards. The memory of the backup
        /// battery lasts if `keepsBattery`.
        case powerOff(keepsBattery: Bool)
        /// Answers to commands are late by up to the given number of seconds.
        case lateAnswers(Double)
        /// Answers to commands are lost; the commands take effect.
        case lostAnswers
        /// The receiver's input buffer is full: commands are lost without a sign.
        case fullBuffer

        // Faults of the receiver.

        /// The date is 1024 weeks too early.
        case weekRollover
        /// The day that ends at the first midnight after the start of the fault has a leap second,
        /// 23:59:60.
        case leapSecond
        /// The clock is wrong by the given number of seconds.
        case clockOff(Double)
        /// No signal is tracked, so there is no fix.
        case jamming
        /// There are signals, but no fix.
        case lostFix
        /// The receiver is between houses: fewer satellites, multipath, larger errors and reported
        /// accuracies.
        case urban
        /// The position is wrong by the given metres, with unchanged accuracies.
        case spoofing(north: Double, east: Double)

        // Attacks on the signals.

        /// A jammer passes by, nearest in the middle of the fault. There, it lowers every C/N0 by the
        /// given decibels. Without a duration it takes a minute.
        case passingJammer(decibels: Double)
        /// False signals of equal power, with a position that is wrong by the given metres.
        case equalPower(north: Double, east: Double)
        /// False signals drag the position away with the given velocity in metres per second, which the
        /// reported velocity includes. Strengths become nearly equal, unless the attacker is careful
        /// to give each signal that of its satellite.
        case dragOff(north: Double, east: Double, isCareful: Bool)
        /// The time walks away from the true time by the given seconds per second.
        case timeWalk(Double)
        /// A repeater sends what its antenna receives. The antenna is the given metres from where the
        /// receiver is when the fault begins, and at rest. The time steps by the signals' way.
        case meaconing(north: Double, east: Double)
    }
}

/// The protocols of binary frames.
public enum BinaryFrames: String, CaseIterable, Hashable, Sendable {
    /// u-blox's UBX.
    case ubx
    /// RTCM 3 corrections.
    case rtcm3
}
