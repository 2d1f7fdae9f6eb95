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
    static let evidence = Integrity.Evidence.signals
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

    static func text(_ finding: Finding) -> String {
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
