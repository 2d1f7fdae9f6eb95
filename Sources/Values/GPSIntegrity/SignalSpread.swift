// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the signals of all satellites are equally strong, because one antenna transmits
/// them.
///
/// Real signals differ: satellites at high elevations are stronger than low ones, and some are
/// always obstructed. They become similar only slowly, or because weaker ones are lost
/// (`SpreadHistory`). The test examines all satellites together. It also examines the satellites of
/// each signal separately, to detect false signals of only one system. Satellites of SBAS, which
/// are geostationary, are often equally strong, so they are not examined separately.
struct SignalSpread: SkyTest {
    static let name = Integrity.Test.signalSpread
    static let unit = "dB"

    /// The minimum number of satellites in total.
    private static let minimumCount = 6
    /// The minimum number of satellites that are received on a signal, such as L1 C/A, for this
    /// signal to be examined.
    private static let minimumCountOfSignal = 5
    /// The number of signal IDs, from 0, whose satellites are examined separately.
    private static let signalCount = 16

    /// A series of consecutive lists with equally strong satellites.
    private struct Run {
        var count = 0
        var start = 0.0

        /// Adds a list. In the first `minimum` lists of a series, the spread must have fallen
        /// suddenly. After that, the series continues while the spread is below the limit.
        mutating func add(isSudden: Bool, isBelow: Bool, _ minimum: Int, at now: Double) {
            if isSudden || isBelow && isLong(minimum, at: now) { count += 1 } else { count = 0 }
            if count == 1 { start = now }
        }

        /// Returns whether the series contains at least `minimum` lists and has lasted at least
        /// (`minimum` - 1.5) seconds. Lists usually arrive once a second.
        func isLong(_ minimum: Int, at now: Double) -> Bool {
            count >= minimum && now - start >= Double(minimum - 1) - 0.5
        }
    }

    /// Whether the receiver measures C/N0. Either this is known, or the C/N0 has differed between
    /// two satellites of one system or between two lists. Some receivers report a constant instead
    /// of measured values, possibly a different one for each system.
    private var isMeasured = false
    /// For each system, the only C/N0 that its satellites have had so far; `nil` before its first
    /// satellite.
    private var constants = Constellation.Table<Double?>(repeating: nil)
    private var all = Run()
    private var signal = Run()
    private var history = SpreadHistory()
    private var histories = [SpreadHistory](
        repeating: SpreadHistory(), count: Constellation.allCases.count * signalCount)

    static func text(_ finding: TestHit) -> String {
        let (count, seconds) = finding.details
        return "C/N0 of \(String(count, decimals: 0)) satellites is equal within "
            + "\(String(finding.value, decimals: 1)) dB for \(String(seconds, decimals: 0)) s "
            + "(limit \(String(finding.threshold, decimals: 1)))"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        let now = sky.moment.now
        let strengths = sky.strengths
        guard isMeasured || measures(sky) else { return .unavailable }
        isMeasured = true
        let spread = strengths.spread
        let isEnough =
            strengths.count >= Self.minimumCount && strengths.mean >= settings.spreadLevel
            && !strengths.isSaturated
        let isSudden = fellSuddenly(sky.view, isEnough: isEnough, settings, at: now)
        all.add(
            isSudden: isSudden, isBelow: isEnough && spread < settings.spread,
            settings.spreadCount, at: now)
        let best = mostSimilar(sky.view, settings, at: now)
        let ofSignal = best?.strengths
        signal.add(
            isSudden: best?.isSudden ?? false,
            isBelow: ofSignal.map { $0.spread < settings.signalSpread } ?? false,
            settings.spreadCount, at: now)
        if all.isLong(settings.spreadCount, at: now) {
            return .found(
                .hard, spread, beyond: settings.spread,
                details: (Double(strengths.count), now - all.start))
        }
        if let ofSignal, signal.isLong(settings.spreadCount, at: now) {
            return .found(
                .hard, ofSignal.spread, beyond: settings.signalSpread,
                details: (Double(ofSignal.count), now - signal.start))
        }
        return strengths.count >= Self.minimumCount ? .quiet : .unavailable
    }

    /// Returns whether the receiver measures C/N0, according to the lists so far.
    private mutating func measures(_ sky: SkyEvidence) -> Bool {
        var isMeasured = sky.isMeasured
        var index = 0
        while let signal = sky.view.nextCombinedSignal(after: &index) {
            guard let strength = signal.strength else { continue }
            let system = Int(signal.id.constellation.rawValue)
            if let constant = constants[system], constant != strength { isMeasured = true }
            constants[system] = strength
        }
        return isMeasured
    }

    /// Adds a list to the history of all satellites. Returns whether their spread fell suddenly.
    private mutating func fellSuddenly(
        _ view: SatelliteView, isEnough: Bool, _ settings: Settings, at now: Double
    ) -> Bool {
        history.beginList()
        var index = 0
        while let signal = view.nextCombinedSignal(after: &index) {
            guard let strength = signal.strength else { continue }
            history.add(strength, elevation: signal.elevation, slot: signal.id.slot, at: now)
        }
        return isEnough && history.isSudden(limit: settings.spread, at: now)
    }

    /// Returns the strengths of the signal whose satellites have the most similar C/N0, and whether
    /// they became similar suddenly. A signal that became similar suddenly is preferred. Returns
    /// `nil` if no signal has enough satellites with a sufficient mean C/N0.
    private mutating func mostSimilar(
        _ view: SatelliteView, _ settings: Settings, at now: Double
    ) -> (strengths: Strengths, isSudden: Bool)? {
        for index in histories.indices { histories[index].beginList() }
        for signal in view.signals where signal.signal < Self.signalCount {
            guard let strength = signal.strength, signal.id.constellation != .sbas else { continue }
            let system = Int(signal.id.constellation.rawValue)
            histories[system * Self.signalCount + Int(signal.signal)].add(
                strength, elevation: signal.elevation,
                slot: signal.id.slot % SatelliteID.slotsPerSystem, at: now)
        }
        var best: (strengths: Strengths, isSudden: Bool)?
        for index in histories.indices {
            let group = histories[index].strengths
            guard group.count >= Self.minimumCountOfSignal, group.mean >= settings.spreadLevel,
                !group.isSaturated
            else { continue }
            let isSudden = histories[index].isSudden(limit: settings.signalSpread, at: now)
            if let best,
                best.isSudden == isSudden
                    ? best.strengths.spread <= group.spread : best.isSudden
            {
                continue
            }
            best = (group, isSudden)
        }
        return best
    }
}

/// Detects that the spread of C/N0 fell suddenly, or was small from the start.
///
/// Under an open sky, or without satellites at low elevations, a good antenna receives true signals
/// with a small spread. But satellites move slowly, so that the spread takes many minutes to become
/// small. If low satellites are lost at once, as behind an obstacle, the others are still as strong
/// as before. So the spread is also compared with the earlier spread of the same satellites.
private struct SpreadHistory: Sendable {
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

/// Statistics of the C/N0 of several satellites.
struct Strengths: Sendable {
    private(set) var count = 0
    private var sum = 0.0
    private var squares = 0.0
    private(set) var highest = 0.0
    private var lowest = Double.infinity

    mutating func add(_ cn0: Double) {
        count += 1
        sum += cn0
        squares += cn0 * cn0
        highest = max(highest, cn0)
        lowest = min(lowest, cn0)
    }

    /// Whether all satellites have the same C/N0, in all digits.
    var isUniform: Bool { lowest >= highest }

    /// Whether all satellites have 99, the largest C/N0 that a sentence can contain. A receiver
    /// with another scale, such as a percentage, reports 99 for all strong signals.
    var isSaturated: Bool { lowest >= 99 }

    /// The mean in dB-Hz; 0 without satellites.
    var mean: Double { count > 0 ? sum / Double(count) : 0 }

    /// The standard deviation in dB; 0 without satellites.
    var spread: Double {
        guard count > 0 else { return 0 }
        return max(0, squares / Double(count) - mean * mean).squareRoot()
    }

    init() {}

    /// Computes the statistics from the strongest signal of each received satellite.
    init(of view: SatelliteView) {
        var index = 0
        while let signal = view.nextCombinedSignal(after: &index) {
            if let strength = signal.strength { add(strength) }
        }
    }
}

extension SatelliteSignal {
    /// The C/N0 in dB-Hz; `nil` if the signal is not received. Some receivers report 0 instead of
    /// nothing in GSV.
    var strength: Double? { cn0.flatMap { $0 > 0 ? $0 : nil } }
}

extension SatelliteID {
    /// The number of elements for each constellation in a table of satellites.
    static let slotsPerSystem = 64

    /// The index of the satellite in a table of all satellites.
    var slot: Int {
        let first = constellation == .sbas ? 120 : 1
        return Int(constellation.rawValue) * Self.slotsPerSystem + Int(svid) - first
    }
}
