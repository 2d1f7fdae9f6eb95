// SPDX-License-Identifier: MIT

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
        public var start: MonotonicInstant?

        /// A description of the worst value: `C/N0 of a satellite is 60 dB-Hz (limit 58)`.
        public var text: String

        /// The same as `text`.
        public var description: String { text }

        private enum CodingKeys: String, CodingKey {
            case test, value, threshold, unit, since, text
        }

        /// Creates a reason from its values.
        public init(
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
        /// Receivers disagree, and no majority shows which of them are right.
        public static let receiversDisagree = Test(rawValue: "receiversDisagree")
        /// Receivers with separate antennas report the same point.
        public static let antennasCollapsed = Test(rawValue: "antennasCollapsed")
    }
}
