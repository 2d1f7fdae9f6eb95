// SPDX-License-Identifier: MIT
public import GPSReceivers

/// A fault of a simulated receiver, its line or its signals, with its start and duration.
///
/// The text form is one line: `30s: jam for 20s`, `1min: bad-checksums 5% for 10s`; see
/// ``FaultScript``.
public struct Fault: Hashable, Sendable {
    /// The kind of fault.
    public var kind: Kind
    /// The start in seconds after the first epoch. The fault begins with the first epoch at or
    /// after this time.
    public var start: Double
    /// The duration in seconds; `nil` for no end.
    public var duration: Double?
    /// The probability, 0 to 1, with which the fault affects each item. Depending on the kind of
    /// fault, an item is a bit, byte, sentence, epoch, command or answer.
    public var probability: Double

    /// Creates a fault.
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

        /// Bits are inverted; the probability is per bit.
        case bitErrors
        /// Bytes are lost; the probability is per byte.
        case droppedBytes
        /// Bytes are sent twice; the probability is per byte.
        case repeatedBytes
        /// Sentences are cut off, without checksum or line end.
        case cutSentences
        /// Sentences lose their line end, so that the next one follows on the same line.
        case gluedSentences
        /// Sentences have a wrong checksum.
        case badChecksums
        /// The receiver sends at the given baud rate instead of the line's, so the reader samples
        /// bits at the wrong times.
        case wrongBaud(BaudRate)
        /// Complete binary frames are inserted after sentences.
        case binaryFrames(BinaryFrames)
        /// Truncated binary frames are inserted after sentences.
        case cutBinaryFrames(BinaryFrames)

        // Faults of timing.

        /// Nothing is sent, and the data is lost.
        case silence
        /// Nothing is sent until the end of the fault; then all data of that time is sent at once
        /// (at most 64 KiB).
        case stall
        /// Epochs are collected, and the given number of them is sent at once.
        case burst(Int)
        /// Each epoch is delayed by a random time up to the given number of seconds.
        case late(Double)
        /// The device is unplugged in the middle of an epoch. At the end of the fault, it is
        /// plugged in again, under the given name or, if that is `nil`, the previous one.
        case unplug(as: String?)

        // Faults of the power supply and of commands.

        /// The power supply is off, and the receiver starts again afterwards. If `keepsBattery` is
        /// `true`, the battery-backed memory is kept.
        case powerOff(keepsBattery: Bool)
        /// Each answer to a command is delayed by a random time up to the given number of seconds.
        case lateAnswers(Double)
        /// Answers to commands are lost, but the commands take effect.
        case lostAnswers
        /// The receiver's input buffer is full, so commands are lost.
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
        /// Satellites are tracked, but there is no fix.
        case lostFix
        /// The receiver is between buildings, with fewer satellites, multipath, and larger real and
        /// reported errors.
        case urban
        /// The position is wrong by the given distances in metres, without a change of the reported
        /// accuracies or signals.
        case spoofing(north: Double, east: Double)

        // Attacks on the signals.

        /// A jammer passes by. In the middle of the fault it is nearest, and lowers every C/N0 by
        /// the given number of decibels. The default duration is one minute.
        case passingJammer(decibels: Double)
        /// False signals, all of equal power, shift the position by the given distances in metres.
        case equalPower(north: Double, east: Double)
        /// False signals drag the position away with the given velocity in metres per second, which
        /// is added to the reported velocity. The signal strengths become nearly equal unless
        /// `isCareful` is `true`: then the attacker imitates the strength of each satellite.
        case dragOff(north: Double, east: Double, isCareful: Bool)
        /// The time drifts away from the true time by the given number of seconds per second.
        case timeWalk(Double)
        /// A repeater rebroadcasts the signals at its antenna, so the receiver reports the
        /// antenna's position. The antenna is at rest, at the given distances in metres from the
        /// receiver's position at the start of the fault. The time jumps by the travel time of the
        /// signals.
        case meaconing(north: Double, east: Double)
    }
}

/// The protocol of inserted binary frames.
public enum BinaryFrames: String, CaseIterable, Hashable, Sendable {
    /// u-blox's UBX.
    case ubx
    /// RTCM 3 corrections.
    case rtcm3
}

extension Fault.Kind {
    /// The keyword of an attack on the signals; `nil` for a fault of the receiver or the line.
    var attackName: String? {
        switch self {
        case .jamming: "jam"
        case .spoofing: "spoof"
        case .passingJammer: "passing-jammer"
        case .equalPower: "equal-power"
        case .dragOff(_, _, let isCareful): isCareful ? "careful-drag" : "drag-off"
        case .timeWalk: "time-walk"
        case .meaconing: "meacon"
        default: nil
        }
    }

    /// Whether all numbers of an attack are finite. An attack with other numbers has no effect.
    var isFiniteAttack: Bool {
        switch self {
        case .passingJammer(let value), .timeWalk(let value): value.isFinite
        case .equalPower(let north, let east), .dragOff(let north, let east, _),
            .meaconing(let north, let east):
            north.isFinite && east.isFinite
        default: true
        }
    }
}
