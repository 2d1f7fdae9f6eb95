// SPDX-License-Identifier: MIT
public import GNSS

/// Watches the fixes and satellites of one receiver for signs that its position is false.
///
/// Pass it each fix and each complete satellite list, in the order in which the receiver reported
/// them. It has no clock and uses constant memory. It does not change fixes; its result is
/// `integrity`.
///
/// ```swift
/// var monitor = IntegrityMonitor()
/// if monitor.receive(fix, arrival: arrival) { show(monitor.integrity) }
/// ```
public struct IntegrityMonitor: Sendable {
    /// A change of the receiver after which later data cannot be compared with earlier data.
    public enum Change: Sendable {
        /// The receiver was opened or reconnected.
        case opened
        /// The receiver was lost, for example unplugged.
        case lost
        /// The receiver was reset, or its settings were changed.
        case reconfigured
    }

    /// The thresholds of the tests.
    public let settings: Settings

    private var tests = Tests()
    private var evaluator = StateEvaluator(Tests.all)
    private var timeline = Timeline()
    private var movements = MovementTracker()
    private var extrapolated = ExtrapolatedPosition()
    /// Whether the last fix had a position.
    private var hasPosition = false
    private var altitude: Double?
    /// Whether the receiver has reported the accuracy of its time.
    private var reportsTimeAccuracy = false
    /// `EpochTime.now` at the first fix since the history was dropped; `nil` before it.
    private var start: Double?
    /// Whether the fix at `start` had no position.
    private var beganWithSearch = false
    /// `EpochTime.now` at the last call of `confirm()`; `nil` before the first call.
    private var confirmation: Double?

    /// Creates a monitor in the state `unknown`.
    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The result after the last fix or satellite list.
    public var integrity: Integrity { evaluator.integrity }

    /// Returns the number of epochs in which a test ran with data (`run`), and in which it found
    /// evidence (`hit`), since the monitor was created.
    package func counts(of test: Integrity.Test) -> (run: Int, hit: Int) {
        guard let record = evaluator.records.first(where: { $0.test.name == test }) else {
            return (0, 0)
        }
        return (record.runCount, record.hitCount)
    }

    package static var testNames: [Integrity.Test] { Tests.all.map { $0.name } }

    /// Examines a fix. Returns `true` if the state of `integrity`, or the tests listed as its
    /// reasons, have changed.
    ///
    /// - Parameters:
    ///   - fix: The next fix of the receiver.
    ///   - arrival: The arrival time of the fix's first byte from a receiver on this machine. Pass
    ///     `nil` for a recording, or for a receiver on the network; its time is then not examined.
    ///   - time: The system's time. Pass `nil` to use the receiver's time.
    @discardableResult
    public mutating func receive(
        _ fix: Fix, arrival: MonotonicInstant? = nil, time: UTCTime? = nil
    ) -> Bool {
        let step = timeline.advance(to: fix, arrival, time)
        let moment = timeline.moment
        let movement = movements.add(fix, moment, step: step, longest: settings.stepTime)
        if let movement {
            let isAlarm = integrity.state == .alarm
            extrapolated.add(movement, longest: settings.stepTime, isAlarm: isAlarm)
        }
        hasPosition = fix.hasPosition
        if fix.mode > .noFix { altitude = fix.ellipsoidalAltitude ?? fix.altitude ?? altitude }
        if fix.accuracy.time != nil { reportsTimeAccuracy = true }
        if start == nil { beganWithSearch = !fix.hasPosition }
        let began = start ?? moment.now
        start = began
        let epoch = EpochEvidence(
            fix: fix, moment: moment, step: step, movement: movement, age: moment.now - began,
            beganWithSearch: beganWithSearch)
        tests.examine(epoch, &evaluator, settings)
        return conclude()
    }

    /// Examines a complete satellite list. Returns `true` if the state of `integrity`, or the tests
    /// listed as its reasons, have changed.
    @discardableResult
    public mutating func receive(_ view: SatelliteView) -> Bool {
        let sky = SkyEvidence(
            view, timeline.moment, altitude: altitude, isMeasured: reportsTimeAccuracy)
        tests.examine(sky, &evaluator, settings)
        return conclude()
    }

    /// Drops all data of earlier epochs but keeps the state, so that an alarm continues after a
    /// receiver is reconnected.
    public mutating func receive(_ change: Change) {
        tests = Tests()
        evaluator.forget()
        timeline.restart()
        movements = MovementTracker()
        // The movement since then is unknown. An alarm must not end by a comparison with a later
        // position; without an alarm, comparisons can begin at the next position.
        if integrity.state == .alarm { extrapolated.interrupt() } else { extrapolated.accept() }
        reportsTimeAccuracy = false
        start = nil
    }

    /// Records that another receiver agrees with the last position. This may end an alarm.
    public mutating func confirm() { confirmation = timeline.moment.now }

    /// Ends a warning or an alarm at the user's request. The state is then `unknown` until tests
    /// have run. A test that still finds evidence starts the warning or alarm again.
    public mutating func acknowledge() {
        extrapolated.accept()
        evaluator.acknowledge(timeline.moment)
    }

    private mutating func conclude() -> Bool {
        let now = timeline.moment.now
        let isWitnessed = confirmation.map { now - $0 <= settings.eventDuration } ?? false
        // Without a position, the comparison is that of the last position. The receiver may have
        // moved away from it since.
        let isConfirmed = isWitnessed || hasPosition && extrapolated.agrees(settings)
        return evaluator.conclude(timeline.moment, isConfirmed: isConfirmed, settings)
    }
}

extension IntegrityMonitor {
    /// The thresholds of an `IntegrityMonitor`.
    ///
    /// `docs/integrity.md` lists the false-alarm rates measured with the defaults.
    public struct Settings: Hashable, Sendable {
        // MARK: States

        /// The time for which tests must run without finding evidence before the state is `ok`, in
        /// seconds. If too few tests have run for the same time, the state is `unknown`.
        var settling = 60.0
        /// The time for which weak evidence, such as a low gain, must be found in every epoch
        /// before it causes a warning, in seconds. A test for such evidence is called a soft test.
        var softDuration = 1.8
        /// The time for which evidence that occurs in a single epoch counts as present, in seconds.
        /// Evidence of another kind within this time causes an alarm. Evidence of a soft test also
        /// ends after this time without data.
        var eventDuration = 10.0
        /// The time without evidence after which an alarm can end, in seconds.
        var alarmQuiet = 600.0

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
        var stepTime = 5.0
        /// The assumed maximum acceleration of a vehicle during a gap between fixes, in m/s².
        var gapAcceleration = 3.0
        /// The longest gap between fixes after which the position is compared with the one before
        /// the gap, in seconds.
        var longestGap = 300.0
        /// The distance calculated from the reported speed, in metres, after which an unchanged
        /// position causes a warning.
        var frozenDistance = 50.0

        // MARK: Signals

        /// If the standard deviation of C/N0 over all satellites is below this value in dB, their
        /// signals count as equally strong.
        public var spread = 2.0
        /// If the standard deviation of C/N0 over the satellites of one signal, such as GPS L1 C/A,
        /// is below this value in dB, they count as equally strong.
        public var signalSpread = 1.0
        /// The minimum mean C/N0 for comparing strengths, in dB-Hz. Weak signals always have
        /// similar strengths.
        var spreadLevel = 30.0
        /// The number of consecutive lists with equally strong signals that causes an alarm.
        var spreadCount = 5
        /// The mean decrease of C/N0 that causes a warning, in dB.
        public var fall = 6.0
        /// The highest plausible C/N0 of a satellite, in dB-Hz.
        public var highest = 58.0
        /// The highest plausible mean C/N0 over all satellites, in dB-Hz.
        var highestMean = 52.0
        /// A satellite system counts as lost if all its satellites disappear within this time, in
        /// seconds.
        var systemsTime = 10.0
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
        var preciseClockStep = 0.2
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
        var warmUp = 600.0

        // MARK: The receiver's own detectors

        /// The time for which a detector must have reported its state before a missing state causes
        /// a warning, in seconds.
        var detectorTime = 30.0

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
