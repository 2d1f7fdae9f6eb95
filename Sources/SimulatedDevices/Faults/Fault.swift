// SPDX-License-Identifier: MIT
public import Devices

/// Something that goes wrong at a time that is known beforehand.
///
/// As text it is one line: `30s: jam for 20s`, `1min: bad-checksums 5% for 10s`; see ``FaultScript``.
public struct Fault: Hashable, Sendable {
    /// What goes wrong.
    public var kind: Kind
    /// Seconds after the first epoch; the first epoch not before it is the first concerned.
    public var start: Double
    /// Seconds; `nil` for ever.
    public var duration: Double?
    /// How likely each bit, byte, sentence or epoch is hit, 0 to 1; what that is depends on the kind.
    public var probability: Double

    /// Makes a fault; it hits everything unless a probability is given.
    public init(
        _ kind: Kind, at start: Double = 0, for duration: Double? = nil, probability: Double = 1
    ) {
        self.kind = kind
        self.start = start
        self.duration = duration
        self.probability = probability
    }

    /// Whether it goes on at a time, in seconds after the first epoch.
    public func isActive(at seconds: Double) -> Bool {
        guard seconds >= start else { return false }
        guard let duration else { return true }
        return seconds < start + duration
    }

    /// What can go wrong.
    public enum Kind: Hashable, Sendable {
        // On the line.

        /// Bits come out inverted.
        case bitErrors
        /// Bytes get lost.
        case droppedBytes
        /// Bytes come twice.
        case repeatedBytes
        /// Sentences end before their end, without checksum or line end.
        case cutSentences
        /// Sentences lose their line end, so that the next one follows at once.
        case gluedSentences
        /// Sentences come with a checksum that is not theirs.
        case badChecksums
        /// The receiver sends at a rate that is not the line's: what is read is sampled off the mark.
        case wrongBaud(BaudRate)
        /// Whole binary frames stand between the sentences.
        case binaryFrames(BinaryFrames)
        /// Binary frames stand between the sentences, cut off before their end.
        case cutBinaryFrames(BinaryFrames)

        // In time.

        /// Nothing comes, and what would have come is lost.
        case silence
        /// Nothing comes, and what would have come comes afterwards, all at once.
        case stall
        /// So many epochs come together.
        case burst(Int)
        /// Epochs come up to so many seconds late.
        case late(Double)
        /// The device is pulled out in the middle of an epoch. It comes back as the same device, or
        /// under another name.
        case unplug(as: String?)

        // In the receiver.

        /// The date is 1024 weeks too early.
        case weekRollover
        /// The day ends with 23:59:60: the first midnight after the start of the fault.
        case leapSecond
        /// The clock is off by so many seconds.
        case clockOff(Double)
        /// No signal is heard, so there is no fix.
        case jamming
        /// There are signals, but no fix.
        case lostFix
        /// Houses stand on both sides: fewer satellites, reflections, worse fixes that say so.
        case urban
        /// The position is off by so many metres, and nothing else shows it.
        case spoofing(north: Double, east: Double)
    }
}

/// Which protocol interferes.
public enum BinaryFrames: String, CaseIterable, Hashable, Sendable {
    /// u-blox's own.
    case ubx
    /// Corrections of RTCM 3.
    case rtcm3
}
