// SPDX-License-Identifier: MIT
public import GNSS

/// Watches the fixes and satellites of one receiver for signs that its position is false.
///
/// It is given each fix and each complete list of satellites, in the order in which the receiver reported
/// them. It has no clock and takes constant memory. It changes no fix; `integrity` is its verdict.
///
/// ```swift
/// var monitor = IntegrityMonitor()
/// if monitor.receive(fix, arrival: arrival) { show(monitor.integrity) }
/// ```
public struct IntegrityMonitor: Sendable {
    /// A change of the receiver after which earlier data say nothing about later data.
    public enum Change: Sendable {
        /// It was opened, or is back.
        case opened
        /// It was lost, for example unplugged.
        case lost
        /// It was reset, or its settings were changed.
        case reconfigured
    }

    /// The thresholds.
    public let settings: Settings

    private var tests = Tests()
    private var judge = Judge(Tests.all)
    private var timeline = Timeline()
    private var movements = MovementTracker()
    private var carried = CarriedPosition()
    private var altitude: Double?
    /// Seconds of the monitor's time at which the history began.
    private var start: Double?
    /// Seconds of the monitor's time at which another source confirmed the position.
    private var confirmation: Double?

    /// Creates a monitor of a receiver about which nothing is known.
    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The verdict after the last fix or list.
    public var integrity: Integrity { judge.integrity }

    /// The number of epochs in which a test had data, and in which it hit, since the monitor was created.
    public func counts(of test: Integrity.Test) -> (run: Int, hit: Int) {
        guard let index = Tests.all.firstIndex(where: { $0.name == test }) else { return (0, 0) }
        return (judge.records[index].runCount, judge.records[index].hitCount)
    }

    /// The names of all tests.
    public static var testNames: [Integrity.Test] { Tests.all.map { $0.name } }

    /// Examines a fix; returns whether the state or the tests among its reasons have changed.
    ///
    /// - Parameters:
    ///   - arrival: When the fix's first byte arrived from a receiver on this machine. Pass `nil` for a
    ///     recording, and for a receiver behind a network: the time is then not examined.
    ///   - time: The system's time; `nil` takes the receiver's.
    @discardableResult
    public mutating func receive(
        _ fix: Fix, arrival: MonotonicInstant? = nil, time: UTCTime? = nil
    ) -> Bool {
        let step = timeline.advance(to: fix, arrival, time)
        let moment = timeline.moment
        let movement = movements.add(fix, moment, step: step, longest: settings.stepTime)
        if let movement { carried.add(movement, isAlarm: integrity.state == .alarm) }
        if fix.mode > .noFix { altitude = fix.ellipsoidalAltitude ?? fix.altitude ?? altitude }
        let began = start ?? moment.now
        start = began
        let epoch = EpochEvidence(
            fix: fix, moment: moment, step: step, movement: movement, age: moment.now - began)
        tests.examine(epoch, &judge, settings)
        return conclude()
    }

    /// Examines a complete list of satellites; returns whether the state or the tests among its reasons have
    /// changed.
    @discardableResult
    public mutating func receive(_ view: SatelliteView) -> Bool {
        let sky = SkyEvidence(view, timeline.moment, altitude: altitude)
        tests.examine(sky, &judge, settings)
        return conclude()
    }

    /// Drops the history, and keeps the state: an alarm outlasts a receiver that is plugged in again.
    public mutating func receive(_ change: Change) {
        tests = Tests()
        judge.forget()
        timeline.restart()
        movements = MovementTracker()
        carried.interrupt()
        start = nil
    }

    /// Records that another receiver agrees with the last position, which may end an alarm.
    public mutating func confirm() { confirmation = timeline.moment.now }

    /// Ends a warning or an alarm, as the user wants; the state is then `unknown` until tests have run. A
    /// test that still hits starts it again.
    public mutating func acknowledge() {
        carried.accept()
        judge.acknowledge(timeline.moment)
    }

    private mutating func conclude() -> Bool {
        let now = timeline.moment.now
        let isConfirmed = confirmation.map { now - $0 <= settings.eventDuration } ?? false
        return judge.conclude(
            timeline.moment, isConfirmed: isConfirmed || carried.agrees(settings), settings)
    }
}
