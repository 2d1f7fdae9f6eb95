// SPDX-License-Identifier: MIT
public import GPSReceivers

/// A fault, and when it occurs.
///
/// As text it is one line: `30s: jam for 20s`, `1min: bad-checksums 5% for 10s`; see ``FaultScript``.
public struct Fault: Hashable, Sendable {
    /// The kind of fault.
    public var kind: Kind
    /// Seconds after the first epoch; the first epoch not before it is the first affected.
    public var start: Double
    /// Seconds; `nil` without end.
    public var duration: Double?
    /// How likely each bit, byte, sentence or epoch is hit, 0 to 1; which of them depends on the kind.
    public var probability: Double

    /// Creates a fault; it hits everything unless a probability is given.
    public init(
        _ kind: Kind, at start: Double = 0, for duration: Double? = nil, probability: Double = 1
    ) {
        self.kind = kind
        self.start = start
        self.duration = duration
        self.probability = probability
    }

    /// Whether it is active at a time, in seconds after the first epoch.
    public func isActive(at seconds: Double) -> Bool {
        guard seconds >= start else { return false }
        guard let duration else { return true }
        return seconds < start + duration
    }

    /// The kinds of fault.
    public enum Kind: Hashable, Sendable {
        // On the line.

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
        /// The receiver sends at another rate than the line's: its bits are sampled at the wrong times.
        case wrongBaud(BaudRate)
        /// Whole binary frames stand between the sentences.
        case binaryFrames(BinaryFrames)
        /// Binary frames stand between the sentences, cut off before their end.
        case cutBinaryFrames(BinaryFrames)

        // In time.

        /// Nothing is sent, and the data is lost.
        case silence
        /// Nothing is sent until the end, then all of it at once.
        case stall
        /// That many epochs are sent together.
        case burst(Int)
        /// Epochs are up to that many seconds late.
        case late(Double)
        /// The device is unplugged in the middle of an epoch, and plugged in again as the same device
        /// or under another name.
        case unplug(as: String?)

        // In the receiver.

        /// The date is 1024 weeks too early.
        case weekRollover
        /// The day ends with 23:59:60: the first midnight after the start of the fault.
        case leapSecond
        /// The clock is wrong by that many seconds.
        case clockOff(Double)
        /// No signal is tracked, so there is no fix.
        case jamming
        /// There are signals, but no fix.
        case lostFix
        /// Houses on both sides: fewer satellites, multipath, larger errors and accuracies.
        case urban
        /// The position is off by that many metres, with unchanged accuracies.
        case spoofing(north: Double, east: Double)
    }
}

/// The protocols of binary frames.
public enum BinaryFrames: String, CaseIterable, Hashable, Sendable {
    /// u-blox's own.
    case ubx
    /// Corrections of RTCM 3.
    case rtcm3
}
