// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers

/// The speed at which a simulation's time advances; `start()` returns a clock.
public struct Pace: Sendable {
    private enum Kind {
        case accelerated(Double)
        case stepped(SteppedTime)
    }

    private let kind: Kind

    /// Whether time advances by steps.
    var isStepped: Bool {
        if case .stepped = kind { true } else { false }
    }

    /// Whether time advances as fast as the system's.
    var isRealTime: Bool {
        if case .accelerated(1) = kind { true } else { false }
    }

    /// The simulated seconds between two looks at what programs have written: 50 ms of the system's
    /// time. `nil` if time advances by steps: then once for each epoch.
    var inputInterval: Double? {
        if case .accelerated(let factor) = kind { 0.05 * factor } else { nil }
    }

    /// As fast as the system's clock.
    public static let realTime = Pace(kind: .accelerated(1))

    /// As many times as fast as the system's clock; `factor` is limited to 0.001 to 1 000 000.
    public static func accelerated(by factor: Double) -> Pace {
        Pace(kind: .accelerated(min(1_000_000, max(0.001, factor))))
    }

    /// By the steps of a clock. The caller must retain the clock: releasing it ends the simulation.
    /// The simulation waits for its readers, so that no bytes are lost.
    public static func stepped(by clock: ManualClock) -> Pace {
        Pace(kind: .stepped(clock.time))
    }

    /// Returns a clock that starts now; all clocks of a stepped pace share their time.
    package func start() -> any SimulationClock {
        switch kind {
        case .accelerated(let factor): AcceleratedClock(by: factor)
        case .stepped(let time): time
        }
    }
}

/// The time of a running simulation: seconds since its start.
package protocol SimulationClock: Sendable {
    /// Seconds since the start.
    var elapsed: Double { get }

    /// Waits until `seconds` after the start; returns `false` if the task was cancelled or the
    /// clock has ended.
    func wait(until seconds: Double) async -> Bool
}

/// The system's clock, started now, at its own or another speed.
struct AcceleratedClock: SimulationClock {
    private let start = MonotonicInstant.now
    private let factor: Double

    init(by factor: Double) {
        self.factor = factor
    }

    var elapsed: Double { MonotonicInstant.now.seconds(since: start) * factor }

    func wait(until seconds: Double) async -> Bool {
        // Infinity and NaN are replaced by centuries.
        let wait = seconds < 1e10 * factor ? max(0, seconds / factor) : 1e10
        let due = start + .seconds(wait)
        return await Poller.shared.sleep(until: due) == .timedOut
    }
}
