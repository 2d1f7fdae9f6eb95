// SPDX-License-Identifier: MIT

/// Whether a receiver's position can be trusted, and the evidence against it.
///
/// `ok` means that every running test is quiet, not that the position is true: see `docs/integrity.md`
/// for what no test can detect. A position is never hidden or moved because of its integrity.
public struct Integrity: Hashable, Sendable, Codable {
    /// The verdict of all tests together.
    public enum State: String, CaseIterable, Hashable, Sendable, Codable {
        /// Tests of at least two kinds are running, and have been quiet for a minute.
        case ok
        /// There is evidence that the position may be false, or soon lost.
        case warning
        /// There is strong evidence that the position or the time is false. It stays until the
        /// position is confirmed.
        case alarm
        /// Too little is known for a verdict.
        case unknown

        /// Its name in files.
        package var name: StaticString {
            switch self {
            case .ok: "ok"
            case .warning: "warning"
            case .alarm: "alarm"
            case .unknown: "unknown"
            }
        }

        /// Its number in the columns of a fleet: 0 for `unknown`, 1 for `ok`, 2 for `warning`, 3 for
        /// `alarm`.
        package var number: Int {
            switch self {
            case .unknown: 0
            case .ok: 1
            case .warning: 2
            case .alarm: 3
            }
        }

        /// Creates the state of a number; `nil` if there is none.
        package init?(number: Double) {
            guard let state = Self.allCases.first(where: { Double($0.number) == number }) else {
                return nil
            }
            self = state
        }
    }

    /// The verdict.
    public var state: State

    /// When the state began; `nil` if the time was not known.
    public var since: UTCTime?

    /// When the state began, by the machine's monotonic clock; `nil` for a recording. It is not stored.
    public var start: MonotonicInstant?

    /// The evidence for a warning or an alarm, the oldest first.
    public var reasons: [Reason]

    /// The kinds of tests that are running.
    public var evidence: [Evidence]

    private enum CodingKeys: String, CodingKey {
        case state, since, reasons, evidence
    }

    /// Creates an integrity.
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
    /// Whether the state and the tests that hit are the same, with whatever numbers.
    package func isSameVerdict(as other: Integrity) -> Bool {
        state == other.state && reasons.map(\.test) == other.reasons.map(\.test)
    }

    /// The state and its reasons on one line: `alarm: moved 412 m in 1 s at a reported 3 m/s`.
    package var summary: String {
        let texts = reasons.map(\.text).joined(separator: "; ")
        return texts.isEmpty ? state.rawValue : "\(state.rawValue): \(texts)"
    }

    /// A kind of evidence. Two soft tests of different kinds together are an alarm.
    public struct Evidence: RawRepresentable, Hashable, Sendable, Codable {
        /// Its name in files.
        public let rawValue: String

        /// Creates a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Positions against velocities.
        public static let motion = Evidence(rawValue: "motion")
        /// The strength of signals, and where they come from.
        public static let signals = Evidence(rawValue: "signals")
        /// The receiver's time against this machine's clock.
        public static let time = Evidence(rawValue: "time")
        /// The receiver's oscillator against the satellites.
        public static let oscillator = Evidence(rawValue: "oscillator")
        /// The receiver's own detectors.
        public static let detector = Evidence(rawValue: "detector")
        /// Other receivers.
        public static let receivers = Evidence(rawValue: "receivers")
    }
}
