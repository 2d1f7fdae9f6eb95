// SPDX-License-Identifier: MIT

/// The time of a simulation under way: seconds since its start.
public protocol SimulationClock: Sendable {
    /// Seconds since the start.
    var elapsed: Double { get }

    /// Waits until that many seconds after the start; false where the task was cancelled or the
    /// clock has ended.
    func wait(until seconds: Double) async -> Bool
}
