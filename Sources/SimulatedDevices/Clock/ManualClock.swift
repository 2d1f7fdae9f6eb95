// SPDX-License-Identifier: MIT

/// A clock that goes on only when told to: epochs that are due by then come at once.
///
/// Letting go of it ends every simulation that goes by it.
public final class ManualClock: Sendable {
    let time = SteppedTime()

    /// Makes a clock that stands at 0 s.
    public init() {}

    deinit { time.end() }

    /// Seconds since the start.
    public var elapsed: Double { time.elapsed }

    /// How many simulations wait for it.
    package var waiterCount: Int { time.waiterCount }

    /// Goes on; steps back are none.
    public func advance(by step: Duration) {
        time.advance(by: step / .seconds(1))
    }
}
