// SPDX-License-Identifier: MIT

/// Detects that the spread of C/N0 fell suddenly, or was small from the start.
///
/// Under an open sky, or without satellites at low elevations, a good antenna receives true signals
/// with a small spread. But satellites move slowly, so that it takes many minutes to become small.
struct SpreadHistory: Sendable {
    /// A spread below this fraction of the largest one in the last minute, or two, has fallen
    /// suddenly.
    private static let fall = 0.6
    /// Without a history, the limit is multiplied by this factor.
    private static let initialFraction = 0.75
    /// The length of the history, in seconds.
    private static let period = 60.0
    /// The longest time between two lists, in seconds; a longer time begins a new history.
    private static let longestGap = 10.0

    private var start = 0.0
    private var last = -Double.infinity
    /// The end of the current minute.
    private var end = 0.0
    /// The largest spreads in the current minute, and in the one before.
    private var largest = (current: 0.0, former: 0.0)

    /// Adds the spread of a list in dB. Returns whether it is below `limit`, and fell suddenly or
    /// was so small from the start.
    mutating func add(_ spread: Double, limit: Double, at now: Double) -> Bool {
        if now - last > Self.longestGap {
            (start, end, largest) = (now, now + Self.period, (current: 0, former: 0))
        }
        last = now
        if now >= end {
            (end, largest) = (now + Self.period, (current: 0, former: largest.current))
        }
        let former = max(largest.current, largest.former)
        largest.current = max(largest.current, spread)
        guard spread < limit else { return false }
        return spread < Self.fall * former
            || now - start < Self.period && spread < Self.initialFraction * limit
    }
}
