// SPDX-License-Identifier: MIT

extension Integrity {
    /// One test that speaks against a position, with its numbers.
    public struct Reason: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The test.
        public var test: Test

        /// The worst value since the test hit.
        public var value: Double

        /// The value from which the test hits.
        public var threshold: Double

        /// The unit of value and threshold: `m`, `s`, `dB`… Empty for a state or a count.
        public var unit: String

        /// When the test first hit; `nil` if the time was not known.
        public var since: UTCTime?

        /// When the test first hit, by the machine's monotonic clock; `nil` for a recording. It is not
        /// stored.
        public var start: MonotonicInstant?

        /// A sentence of the worst value: `moved 412 m in 1 s at a reported 3 m/s`.
        public var text: String

        /// The sentence.
        public var description: String { text }

        private enum CodingKeys: String, CodingKey {
            case test, value, threshold, unit, since, text
        }

        /// Creates a reason.
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

    /// The name of a test. What each one sees is in `docs/integrity.md`.
    public struct Test: RawRepresentable, Hashable, Sendable, Codable {
        /// Its name in files: `positionStep`.
        public let rawValue: String

        /// Creates a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The position moved otherwise than by the reported velocity.
        public static let positionStep = Test(rawValue: "positionStep")
        /// The position after a gap is farther away than a vehicle gets.
        public static let positionGap = Test(rawValue: "positionGap")
        /// The position stands still although the receiver reports a speed.
        public static let positionFrozen = Test(rawValue: "positionFrozen")
        /// The receiver's time stepped against this machine's clock.
        public static let clockStep = Test(rawValue: "clockStep")
        /// The receiver's time runs at another rate than this machine's clock.
        public static let clockRate = Test(rawValue: "clockRate")
        /// The date, or the time, jumped.
        public static let timeJump = Test(rawValue: "timeJump")
        /// The receiver uses other leap seconds than announced.
        public static let leapSeconds = Test(rawValue: "leapSeconds")
        /// The receiver's oscillator changed its rate, or its phase jumped.
        public static let receiverClock = Test(rawValue: "receiverClock")
        /// Satellites are equally strong.
        public static let signalSpread = Test(rawValue: "signalSpread")
        /// All satellites became weaker.
        public static let signalFall = Test(rawValue: "signalFall")
        /// Satellites are stronger than those in the sky.
        public static let signalLevel = Test(rawValue: "signalLevel")
        /// All satellite systems but one are gone.
        public static let systemsLost = Test(rawValue: "systemsLost")
        /// A satellite is used that is below the horizon.
        public static let belowHorizon = Test(rawValue: "belowHorizon")
        /// The signals of all satellites stand still.
        public static let signalsFrozen = Test(rawValue: "signalsFrozen")
        /// The receiver's amplifier was turned down: more power arrives.
        public static let gainFall = Test(rawValue: "gainFall")
        /// The receiver reports jamming.
        public static let jamming = Test(rawValue: "jamming")
        /// The receiver reports spoofing.
        public static let spoofing = Test(rawValue: "spoofing")
        /// A detector of the receiver no longer reports a state.
        public static let detectorSilent = Test(rawValue: "detectorSilent")
        /// The receiver no longer vouches for a protection level.
        public static let protectionLevel = Test(rawValue: "protectionLevel")
        /// Receivers disagree, and no majority says which of them is right.
        public static let receiversDisagree = Test(rawValue: "receiversDisagree")
        /// Receivers whose antennas are apart report one point.
        public static let antennasCollapsed = Test(rawValue: "antennasCollapsed")
    }
}
