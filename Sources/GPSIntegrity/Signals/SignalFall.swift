// SPDX-License-Identifier: MIT
import GNSS

/// All satellites became weaker: a jammer, or a bridge, or a hand.
///
/// Compares each satellite with its own mean of the last seconds.
struct SignalFall: SkyTest {
    static let name = Integrity.Test.signalFall
    static let evidence = Integrity.Evidence.signals
    static let unit = "dB"

    /// The least number of satellites that are compared.
    private static let fewest = 4
    /// Seconds over which the mean is taken, and after which a satellite is forgotten.
    private static let (averaging, forgetting) = (15.0, 10.0)
    /// Seconds for which a satellite must have been received: while receivers search, signals come and go.
    private static let steady: Float = 30
    private static let perSystem = 64

    private struct Level {
        var mean: Float = 0
        var seen: Float = -1000
        var first: Float = 0
    }

    private var levels = [Level](
        repeating: Level(), count: Constellation.allCases.count * perSystem)
    private var start: Double?

    static func text(_ finding: Finding) -> String {
        "C/N0 of \(String(finding.details.0, decimals: 0)) satellites fell by "
            + "\(String(finding.value, decimals: 1)) dB "
            + "(limit \(String(finding.threshold, decimals: 1)))"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: IntegrityMonitor.Settings) -> Verdict {
        let now = sky.moment.now
        let origin = start ?? now
        start = origin
        // Floats, since there are many; they are precise to a second for months.
        let time = Float(now - origin)
        var (sum, count) = (0.0, 0)
        var index = 0
        while let signal = sky.view.nextCombinedSignal(after: &index) {
            guard let cn0 = signal.cn0 else { continue }
            let base = signal.id.constellation == .sbas ? 120 : 1
            let place =
                Int(signal.id.constellation.rawValue) * Self.perSystem + Int(signal.id.svid) - base
            guard levels.indices.contains(place) else { continue }
            var level = levels[place]
            let elapsed = Double(time - level.seen)
            if elapsed > Self.forgetting {
                level = Level(mean: Float(cn0), seen: time, first: time)
            } else {
                if time - level.first >= Self.steady {
                    sum += Double(level.mean) - cn0
                    count += 1
                }
                let share = Float(min(1, elapsed / Self.averaging))
                level.mean += (Float(cn0) - level.mean) * share
                level.seen = time
            }
            levels[place] = level
        }
        guard count >= Self.fewest else { return .unavailable }
        let fall = sum / Double(count)
        guard fall > settings.fall else { return .quiet }
        return .hit(
            Finding(
                weight: .soft, value: fall, threshold: settings.fall, details: (Double(count), 0)))
    }
}
