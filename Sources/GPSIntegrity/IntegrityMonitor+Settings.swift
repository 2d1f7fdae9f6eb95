// SPDX-License-Identifier: MIT

extension IntegrityMonitor {
    /// The thresholds of an `IntegrityMonitor`.
    ///
    /// The false-alarm rates that were measured with the defaults are in `docs/integrity.md`.
    public struct Settings: Hashable, Sendable {
        // MARK: States

        /// Seconds for which tests must be quiet, and have run, before the state is `ok`; and seconds without
        /// evidence after which it is `unknown`.
        public var settling = 60.0
        /// Seconds for which a soft test must hit before it is a warning: two, if epochs arrive irregularly.
        public var softDuration = 1.8
        /// Seconds for which a single event counts as present, together with another soft test.
        public var eventDuration = 10.0
        /// Seconds for which all tests must be quiet before an alarm may end.
        public var alarmQuiet = 600.0

        // MARK: Motion

        /// Metres, and multiples of both fixes' accuracies, by which a step may differ from the velocity: a
        /// warning above the larger one.
        public var stepWarning = Distance(metres: 5, accuracies: 3)
        /// The same for an alarm.
        public var stepAlarm = Distance(metres: 20, accuracies: 5)
        /// The longest time between two fixes, in seconds, whose step is compared with the velocity; also the
        /// time after a gap or a change of fix type in which it is not.
        public var stepTime = 5.0
        /// Metres per square second by which a vehicle changes its speed in a gap.
        public var gapAcceleration = 3.0
        /// The longest gap, in seconds, after which the position is compared with the one before.
        public var longestGap = 300.0
        /// Metres by which a receiver must have moved at its reported speed while its position stood still.
        public var frozenDistance = 50.0

        // MARK: Signals

        /// The standard deviation of C/N0 over all satellites, in dB, below which they are equally strong.
        public var spread = 2.0
        /// The same over the satellites of one signal.
        public var signalSpread = 1.0
        /// The least mean C/N0 in dB-Hz for either: weak signals are equally weak.
        public var spreadLevel = 30.0
        /// The number of consecutive lists for either.
        public var spreadCount = 5
        /// The mean fall of C/N0 in dB that is a warning.
        public var fall = 6.0
        /// The highest C/N0 in dB-Hz of a satellite in the sky.
        public var highest = 58.0
        /// The highest mean C/N0 in dB-Hz of all satellites in the sky.
        public var highestMean = 52.0
        /// Seconds within which all satellite systems but one vanish.
        public var systemsTime = 10.0
        /// Seconds for which no C/N0 and no direction of any satellite changes.
        public var frozenTime = 60.0
        /// The share of its own mean below which the gain falls.
        public var gainShare = 0.4

        // MARK: Time

        /// Seconds of the receiver's time against this machine's clock that are an alarm, in addition to three
        /// times the spread.
        public var clockStep = 0.5
        /// The same for receivers that state how accurate their time is, as UBX does.
        public var preciseClockStep = 0.2
        /// The rate against this machine's clock, as a ratio, that is a warning. Machines whose clock is not
        /// synchronised are off by up to 0.0001.
        public var clockRate = 0.000_15
        /// Seconds by which the time jumps backwards.
        public var backward = 1.0
        /// Seconds by which the time jumps forwards against this machine's clock.
        public var forward = 10.0

        // MARK: The receiver's oscillator

        /// Nanoseconds per second by which the rate of the receiver's clock changes within a second: a warning.
        public var driftWarning = 25.0
        /// The same for an alarm.
        public var driftAlarm = 50.0
        /// Seconds after the start in which the oscillator warms up.
        public var warmUp = 600.0

        // MARK: The receiver's own detectors

        /// Seconds for which a detector must have reported a state before its silence is a warning.
        public var detectorTime = 30.0

        /// Creates the default thresholds.
        public init() {}

        /// A distance that grows with the accuracy of the positions.
        public struct Distance: Hashable, Sendable {
            /// Metres.
            public var metres: Double
            /// Multiples of the root of both fixes' squared accuracies.
            public var accuracies: Double

            /// Creates a distance.
            public init(metres: Double, accuracies: Double) {
                self.metres = metres
                self.accuracies = accuracies
            }

            /// The larger one of both, in metres.
            func limit(_ accuracy: Double) -> Double { max(metres, accuracies * accuracy) }
        }
    }
}
