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
    public init(
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
