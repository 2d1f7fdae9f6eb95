// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO

/// The speed at which the time of a simulation advances: real time, faster or slower, or in manual
/// steps.
public struct Pace: Sendable {
    private enum Kind {
        case accelerated(Double)
        case stepped(SteppedTime)
    }

    private let kind: Kind

    /// Whether a `ManualClock` determines the time.
    var isStepped: Bool {
        if case .stepped = kind { true } else { false }
    }

    /// Whether time advances at the speed of the system's clock.
    var isRealTime: Bool {
        if case .accelerated(1) = kind { true } else { false }
    }

    /// Time advances at the speed of the system's clock.
    public static let realTime = Pace(kind: .accelerated(1))

    /// Returns a pace that is `factor` times as fast as the system's clock. The factor is limited
    /// to 0.001 to 1 000 000.
    public static func accelerated(by factor: Double) -> Pace {
        Pace(kind: .accelerated(min(1_000_000, max(0.001, factor))))
    }

    /// Returns a pace that follows a manual clock. The caller must retain the clock; the simulation
    /// ends when the clock is deinitialized. The simulation waits for slow readers, so that no
    /// bytes are lost.
    public static func stepped(by clock: ManualClock) -> Pace {
        Pace(kind: .stepped(clock.time))
    }

    /// Returns a clock that starts at 0 s now. For a stepped pace, returns the shared manual clock,
    /// which may have advanced already.
    package func start() -> any SimulationClock {
        switch kind {
        case .accelerated(let factor): AcceleratedClock(by: factor)
        case .stepped(let time): time
        }
    }
}

/// The time of a running simulation, in seconds since its start.
package protocol SimulationClock: Sendable {
    /// The time since the start in seconds.
    var elapsed: Double { get }

    /// Returns the instant of the system's monotonic clock at which this clock's time is `seconds`;
    /// `nil` for a manual clock.
    func instant(after seconds: Double) -> MonotonicInstant?

    /// Waits until the time is `seconds`. Returns `false` if the task is cancelled or the manual
    /// clock is deinitialized.
    func wait(until seconds: Double) async -> Bool
}

/// A clock that runs at a multiple of the speed of the system's clock, from 0 s at its creation.
struct AcceleratedClock: SimulationClock {
    private let start = MonotonicInstant.now
    private let factor: Double

    init(by factor: Double) {
        self.factor = factor
    }

    var elapsed: Double { MonotonicInstant.now.seconds(since: start) * factor }

    func wait(until seconds: Double) async -> Bool {
        await Poller.shared.sleep(until: due(after: seconds)) == .timedOut
    }

    func instant(after seconds: Double) -> MonotonicInstant? { due(after: seconds) }

    private func due(after seconds: Double) -> MonotonicInstant {
        // Replace infinity and NaN by 10^10 s, about three centuries.
        start + .seconds(seconds < 1e10 * factor ? max(0, seconds / factor) : 1e10)
    }
}
