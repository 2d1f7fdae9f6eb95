// SPDX-License-Identifier: MIT

/// How fast a simulation's time goes; `start()` makes a clock of it.
public struct Pace: Sendable {
    private enum Kind {
        case accelerated(Double)
        case stepped(SteppedTime)
    }

    private let kind: Kind

    /// Whether time goes on by steps.
    var isStepped: Bool {
        if case .stepped = kind { true } else { false }
    }

    /// As fast as everybody's.
    public static let realTime = Pace(kind: .accelerated(1))

    /// So many times as fast as everybody's: 0.001 to 1 000 000, else the nearest of these.
    public static func accelerated(by factor: Double) -> Pace {
        Pace(kind: .accelerated(min(1_000_000, max(0.001, factor))))
    }

    /// By the steps of a clock, which must be kept: without it there is no more time.
    public static func stepped(by clock: ManualClock) -> Pace {
        Pace(kind: .stepped(clock.time))
    }

    /// A clock that starts now; where stepped, all clocks share their time.
    public func start() -> any SimulationClock {
        switch kind {
        case .accelerated(let factor): AcceleratedClock(by: factor)
        case .stepped(let time): time
        }
    }
}
