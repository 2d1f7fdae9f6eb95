// SPDX-License-Identifier: MIT

/// Whether a receiver's position can be trusted, and the evidence against it.
///
/// `ok` means that no running test has found evidence. It does not mean that the position is true:
/// `docs/integrity.md` lists what no test can detect. A position is never hidden or moved because
/// of its integrity.
public struct Integrity: Hashable, Sendable, Codable {
    /// The combined result of all tests.
    ///
    /// `gpsbridge-fleet` transmits a state as its index in this list, so the order must not change.
    public enum State: String, CaseIterable, Hashable, Sendable, Codable {
        /// There is not enough information for a verdict.
        case unknown
        /// Tests of at least two kinds are running, and none has found evidence in the last minute.
        case ok
        /// There is evidence that the position may be false, or that the receiver may soon lose it.
        case warning
        /// There is strong evidence that the position or the time is false. The alarm continues
        /// until the position is confirmed.
        case alarm
    }

    /// The combined result of all tests.
    public var state: State

    /// The time when the state began; `nil` if the time was not known.
    public var since: UTCTime?

    /// The instant at which the state began, on the machine's monotonic clock; `nil` for a
    /// recording. It is not stored.
    public var start: MonotonicInstant?

    /// The evidence for a warning or an alarm, oldest first.
    public var reasons: [Reason]

    /// The kinds of evidence for which tests are running.
    public var evidence: [Evidence]

    private enum CodingKeys: String, CodingKey {
        case state, since, reasons, evidence
    }

    /// Creates a verdict.
    package init(
        state: State = .unknown, since: UTCTime? = nil, start: MonotonicInstant? = nil,
        reasons: [Reason] = [], evidence: [Evidence] = []
    ) {
        self.state = state
        self.since = since
        self.start = start
        self.reasons = reasons
        self.evidence = evidence
    }
}

extension Integrity {
    /// Returns whether two verdicts have the same state and the same tests as reasons. The order
    /// of the reasons, and the numbers in them, are ignored.
    package func isSameVerdict(as other: Integrity) -> Bool {
        state == other.state && Set(reasons.map(\.test)) == Set(other.reasons.map(\.test))
    }

    /// The state if it is a warning or an alarm; otherwise `nil`.
    package var doubt: State? { state == .warning || state == .alarm ? state : nil }

    /// The state and its reasons on one line: `alarm: moved 412 m in 1 s at a reported
    /// speed of 3 m/s`.
    package var summary: String {
        let texts = reasons.map(\.text).joined(separator: "; ")
        return texts.isEmpty ? state.rawValue : "\(state.rawValue): \(texts)"
    }

    /// A kind of evidence. Two tests of different kinds that find evidence at the same time cause
    /// an alarm.
    public struct Evidence: RawRepresentable, Hashable, Sendable, Codable {
        /// The name that files contain.
        public let rawValue: String

        /// Creates a kind of evidence.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A comparison of positions with velocities.
        public static let motion = Evidence(rawValue: "motion")
        /// The strengths and directions of the satellite signals.
        public static let signals = Evidence(rawValue: "signals")
        /// A comparison of the receiver's time with this machine's clock.
        public static let time = Evidence(rawValue: "time")
        /// A comparison of the receiver's oscillator with the satellites.
        public static let oscillator = Evidence(rawValue: "oscillator")
        /// The receiver's own detectors.
        public static let detector = Evidence(rawValue: "detector")
        /// A comparison with other receivers.
        public static let receivers = Evidence(rawValue: "receivers")
    }
}

extension Integrity {
    /// Evidence against a position: the test that found it, the measured value and its threshold.
    public struct Reason: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The test that found the evidence.
        public var test: Test

        /// The worst value since the test was triggered, in `unit`.
        public var value: Double

        /// The value beyond which the test is triggered, in `unit`.
        public var threshold: Double

        /// The unit of `value` and `threshold`: `m`, `s`, `dB`… It is empty for a state, a count or
        /// a ratio.
        public var unit: String

        /// The time when the test was triggered; `nil` if the time was not known then.
        public var since: UTCTime?

        /// The instant at which the test was triggered, on the machine's monotonic clock; `nil` for
        /// a recording. It is not stored.
        package var start: MonotonicInstant?

        /// A description of the worst value: `C/N0 of a satellite is 60 dB-Hz (limit 58)`.
        public var text: String

        /// The same as `text`.
        public var description: String { text }

        private enum CodingKeys: String, CodingKey {
            case test, value, threshold, unit, since, text
        }

        package init(
            test: Test, value: Double, threshold: Double, unit: String, since: UTCTime? = nil,
            start: MonotonicInstant? = nil, text: String
        ) {
            self.test = test
            self.value = value
            self.threshold = threshold
            self.unit = unit
            self.since = since
            self.start = start
            self.text = text
        }
    }

    /// The name of a test. The tests are described in `docs/integrity.md`.
    public struct Test: RawRepresentable, Hashable, Sendable, Codable {
        /// The name that files contain, such as `positionStep`.
        public let rawValue: String

        /// Creates the name of a test.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The movement of the position differs from the reported velocity.
        public static let positionStep = Test(rawValue: "positionStep")
        /// The first position after a gap is farther away than a vehicle can travel in that time.
        public static let positionGap = Test(rawValue: "positionGap")
        /// The position does not change although the receiver reports a speed.
        public static let positionFrozen = Test(rawValue: "positionFrozen")
        /// The receiver's time jumped relative to this machine's clock.
        public static let clockStep = Test(rawValue: "clockStep")
        /// The receiver's time runs faster or slower than this machine's clock.
        public static let clockRate = Test(rawValue: "clockRate")
        /// The receiver's date or time moved backwards, or jumped far ahead.
        public static let timeJump = Test(rawValue: "timeJump")
        /// The receiver's number of leap seconds differs from the officially announced number.
        public static let leapSeconds = Test(rawValue: "leapSeconds")
        /// The rate of the receiver's oscillator changed suddenly, or its phase jumped.
        public static let receiverClock = Test(rawValue: "receiverClock")
        /// The signals of all satellites have nearly the same strength.
        public static let signalSpread = Test(rawValue: "signalSpread")
        /// The signals of all satellites became weaker.
        public static let signalFall = Test(rawValue: "signalFall")
        /// The signals are stronger than real satellite signals.
        public static let signalLevel = Test(rawValue: "signalLevel")
        /// All satellite systems except one disappeared.
        public static let systemsLost = Test(rawValue: "systemsLost")
        /// The fix uses a satellite that is below the horizon.
        public static let belowHorizon = Test(rawValue: "belowHorizon")
        /// The signal strengths of all satellites stopped changing.
        public static let signalsFrozen = Test(rawValue: "signalsFrozen")
        /// The gain of the receiver's amplifier fell, because the antenna receives more power.
        public static let gainFall = Test(rawValue: "gainFall")
        /// The receiver reports jamming.
        public static let jamming = Test(rawValue: "jamming")
        /// The receiver reports spoofing.
        public static let spoofing = Test(rawValue: "spoofing")
        /// A detector of the receiver no longer reports a state.
        public static let detectorSilent = Test(rawValue: "detectorSilent")
        /// The receiver no longer reports a valid protection level.
        public static let protectionLevel = Test(rawValue: "protectionLevel")
        /// Galileo's signatures do not fit the navigation data.
        public static let authenticationFailed = Test(rawValue: "authenticationFailed")
        /// Galileo's satellites are no longer authenticated.
        public static let authenticationLost = Test(rawValue: "authenticationLost")
        /// Receivers disagree, and no majority shows which of them are right.
        public static let receiversDisagree = Test(rawValue: "receiversDisagree")
        /// Receivers with separate antennas report the same point.
        public static let antennasCollapsed = Test(rawValue: "antennasCollapsed")
    }
}
