// SPDX-License-Identifier: MIT

/// Detects that the spread of C/N0 fell suddenly, or was small from the start.
///
/// Under an open sky, or without satellites at low elevations, a good antenna receives true signals
/// with a small spread. But satellites move slowly, so that the spread takes many minutes to become
/// small. If low satellites are lost at once, as behind an obstacle, the others are still as strong
/// as before. So the spread is also compared with the earlier spread of the same satellites.
struct SpreadHistory: Sendable {
    /// A spread has fallen suddenly if it is below this fraction of the largest spread in the
    /// current minute and the one before, and below this fraction of the same satellites' earlier
    /// spread.
    private static let fall = 0.6
    /// In the first minute, a spread counts as small from the start if it is below this fraction of
    /// the limit.
    private static let initialFraction = 0.75
    /// The length of the history, in seconds.
    private static let period = 60.0
    /// The longest time between two lists, in seconds; a longer time begins a new history.
    private static let longestGap = 10.0
    /// Satellites below this elevation in degrees are weaker than others.
    private static let lowElevation = 30.0
    /// The minimum number of satellites below `lowElevation` in the first minute. The true signals
    /// of high satellites alone may be equally strong.
    private static let minimumLowCount = 2

    /// The mean and the variance of a satellite's C/N0 over the last `seconds`. `seen` is the time
    /// at which it was last received, in seconds.
    private struct Level {
        var mean: Float = 0
        var variance: Float = 0
        var seconds: Float = 0
        var seen = -Float.infinity
    }

    private var start = 0.0
    private var last = -Double.infinity
    /// `EpochTime.now` at the end of the current minute.
    private var end = 0.0
    /// The largest spreads in the current minute, and in the one before.
    private var largest = (current: 0.0, former: 0.0)
    private var levels: [Level] = []

    // MARK: The current list

    /// The strengths of the satellites in the current list.
    private(set) var strengths = Strengths()
    /// The statistics of the earlier mean C/N0 of the satellites in the current list.
    private var means = Strengths()
    /// The sum of the earlier variances of C/N0 of the satellites in the current list.
    private var variances = 0.0
    private var hasElevations = false
    private var lowCount = 0

    /// Begins a list.
    mutating func beginList() {
        (strengths, means, variances) = (Strengths(), Strengths(), 0)
        (hasElevations, lowCount) = (false, 0)
    }

    /// Adds a satellite to the list. `slot` is its index in a table of satellites.
    mutating func add(
        _ strength: Double, elevation: Double?, slot: Int, at now: Double
    ) {
        guard slot >= 0 else { return }
        strengths.add(strength)
        if let elevation {
            hasElevations = true
            if elevation < Self.lowElevation { lowCount += 1 }
        }
        if slot >= levels.count {
            levels.append(contentsOf: repeatElement(Level(), count: slot + 1 - levels.count))
        }
        // As in `SignalFall`, `Float` saves memory.
        let (value, time) = (Float(strength), Float(now))
        var level = levels[slot]
        let elapsed = time - level.seen
        if elapsed > Float(Self.period) {
            level = Level(mean: value, seen: time)
        } else {
            means.add(Double(level.mean))
            variances += Double(level.variance)
            level.seconds = min(Float(Self.period), level.seconds + elapsed)
            let weight = level.seconds > 0 ? elapsed / level.seconds : 1
            let change = value - level.mean
            level.mean += weight * change
            level.variance = (1 - weight) * (level.variance + weight * change * change)
            level.seen = time
        }
        levels[slot] = level
    }

    /// Returns whether the list's spread is below `limit` in dB and either fell suddenly or was
    /// small from the start. Call it once per list, and only for lists with enough satellites.
    mutating func isSudden(limit: Double, at now: Double) -> Bool {
        if now - last > Self.longestGap {
            (start, end, largest) = (now, now + Self.period, (current: 0, former: 0))
            (levels, means) = ([], Strengths())
        }
        last = now
        if now >= end {
            (end, largest) = (now + Self.period, (current: 0, former: largest.current))
        }
        let spread = strengths.spread
        let former = max(largest.current, largest.former)
        largest.current = max(largest.current, spread)
        guard spread < limit else { return false }
        if spread < Self.fall * former {
            return expected.map { spread < Self.fall * $0 } ?? true
        }
        return now - start < Self.period && spread < Self.initialFraction * limit
            && (!hasElevations || lowCount >= Self.minimumLowCount)
    }

    /// The spread in dB that the list's satellites had before; `nil` if most of them are new.
    private var expected: Double? {
        guard 2 * means.count > strengths.count else { return nil }
        return (means.spread * means.spread + variances / Double(means.count)).squareRoot()
    }
}
