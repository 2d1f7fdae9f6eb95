// SPDX-License-Identifier: MIT

extension IntegrityMonitor {
    /// The thresholds of an `IntegrityMonitor`.
    ///
    /// `docs/integrity.md` lists the false-alarm rates measured with the defaults.
    public struct Settings: Hashable, Sendable {
        // MARK: States

        /// The time for which tests must run without finding evidence before the state is `ok`, in
        /// seconds. If too few tests have run for the same time, the state is `unknown`.
        public var settling = 60.0
        /// The time for which weak evidence, such as a low gain, must be found in every epoch
        /// before it causes a warning, in seconds. A test for such evidence is called a soft test.
        public var softDuration = 1.8
        /// The time for which evidence that occurs in a single epoch counts as present, in seconds.
        /// Evidence of another kind within this time causes an alarm. Evidence of a soft test also
        /// ends after this time without data.
        public var eventDuration = 10.0
        /// The time without evidence after which an alarm can end, in seconds.
        public var alarmQuiet = 600.0

        // MARK: Motion

        /// The difference between the movement of a position and the movement calculated from the
        /// reported velocity that causes a warning.
        public var stepWarning = Distance(metres: 5, accuracies: 3)
        /// The difference between the movement of a position and the movement calculated from the
        /// reported velocity that causes an alarm.
        public var stepAlarm = Distance(metres: 20, accuracies: 5)
        /// The longest time between two fixes whose movement is compared with the velocity, in
        /// seconds; a longer time is a gap. After a gap, a search or a change of the fix type,
        /// movements are not compared for the same time or, if longer, for as long as the gap or
        /// search lasted, up to 30 s. If a receiver on this machine has a fix when it is opened,
        /// the comparison begins after 1.5 s.
        public var stepTime = 5.0
        /// The assumed maximum acceleration of a vehicle during a gap between fixes, in m/s².
        public var gapAcceleration = 3.0
        /// The longest gap between fixes after which the position is compared with the one before
        /// the gap, in seconds.
        public var longestGap = 300.0
        /// The distance calculated from the reported speed, in metres, after which an unchanged
        /// position causes a warning.
        public var frozenDistance = 50.0

        // MARK: Signals

        /// If the standard deviation of C/N0 over all satellites is below this value in dB, their
        /// signals count as equally strong.
        public var spread = 2.0
        /// If the standard deviation of C/N0 over the satellites of one signal, such as GPS L1 C/A,
        /// is below this value in dB, they count as equally strong.
        public var signalSpread = 1.0
        /// The minimum mean C/N0 for comparing strengths, in dB-Hz. Weak signals always have
        /// similar strengths.
        public var spreadLevel = 30.0
        /// The number of consecutive lists with equally strong signals that causes an alarm.
        public var spreadCount = 5
        /// The mean decrease of C/N0 that causes a warning, in dB.
        public var fall = 6.0
        /// The highest plausible C/N0 of a satellite, in dB-Hz.
        public var highest = 58.0
        /// The highest plausible mean C/N0 over all satellites, in dB-Hz.
        public var highestMean = 52.0
        /// A satellite system counts as lost if all its satellites disappear within this time, in
        /// seconds.
        public var systemsTime = 10.0
        /// The time after which unchanged C/N0 and directions of all satellites cause a warning, in
        /// seconds.
        public var frozenTime = 60.0
        /// A gain below this fraction of its mean causes a warning.
        public var gainFraction = 0.4

        // MARK: Time

        /// The jump of the receiver's time relative to this machine's clock that causes an alarm,
        /// in seconds. The standard deviation of the arrival delays is added: three times for a
        /// jump forward, four times for a jump backward.
        public var clockStep = 0.5
        /// The same as `clockStep`, in seconds, for receivers that report the accuracy of their
        /// time, for example in UBX.
        public var preciseClockStep = 0.2
        /// The relative difference between the rates of the receiver's time and this machine's
        /// clock that causes a warning. The rate of a clock that is not synchronised can be wrong
        /// by up to 0.0001.
        public var clockRate = 0.000_15
        /// A fix whose time is earlier than that of the previous fix by more than this value, in
        /// seconds, causes an alarm.
        public var backward = 1.0
        /// The forward jump of the receiver's time relative to this machine's clock that causes an
        /// alarm, in seconds.
        public var forward = 10.0

        // MARK: The receiver's oscillator

        /// The change of the receiver's clock drift within a second that causes a warning, in
        /// nanoseconds per second.
        public var driftWarning = 25.0
        /// The change of the receiver's clock drift within a second that causes an alarm, in
        /// nanoseconds per second.
        public var driftAlarm = 50.0
        /// The time after the first fix in which the oscillator warms up and is not tested, in
        /// seconds.
        public var warmUp = 600.0

        // MARK: The receiver's own detectors

        /// The time for which a detector must have reported its state before a missing state causes
        /// a warning, in seconds.
        public var detectorTime = 30.0

        /// Creates the default thresholds.
        public init() {}

        /// A threshold that depends on the accuracies of two positions: a minimum, or a multiple of
        /// the combined accuracy if that is larger.
        public struct Distance: Hashable, Sendable {
            /// The minimum distance in metres.
            public var metres: Double
            /// The multiple of the combined accuracy, which is the root of the sum of both squared
            /// accuracies.
            public var accuracies: Double

            /// Creates a threshold.
            public init(metres: Double, accuracies: Double) {
                self.metres = metres
                self.accuracies = accuracies
            }

            /// Returns the threshold for a combined accuracy, both in metres.
            func limit(_ accuracy: Double) -> Double { max(metres, accuracies * accuracy) }
        }
    }
}
