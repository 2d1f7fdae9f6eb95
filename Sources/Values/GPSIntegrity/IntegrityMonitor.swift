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
    public func counts(of test: Integrity.Test) -> (run: Int, hit: Int) {
        guard let record = evaluator.records.first(where: { $0.test.name == test }) else {
            return (0, 0)
        }
        return (record.runCount, record.hitCount)
    }

    /// The names of all tests.
    public static var testNames: [Integrity.Test] { Tests.all.map { $0.name } }

    /// Examines a fix. Returns `true` if the state of `integrity`, or the tests listed as its
    /// reasons, have changed.
    ///
    /// - Parameters:
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
