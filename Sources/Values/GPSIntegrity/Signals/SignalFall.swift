// SPDX-License-Identifier: MIT
import GNSS

/// Detects that all satellites became weaker, because of a jammer, or because of a bridge or a hand
/// over the antenna.
///
/// It compares the C/N0 of each satellite with its own mean over the last seconds.
struct SignalFall: SkyTest {
    static let name = Integrity.Test.signalFall
    static let evidence = Integrity.Evidence.signals
    static let unit = "dB"

    /// The minimum number of satellites to compare.
    private static let minimumCount = 4
    /// The averaging time of a satellite's mean C/N0, in seconds.
    private static let averaging = 15.0
    /// The time without a signal after which a satellite's mean is discarded, in seconds.
    private static let forgetting = 10.0
    /// The time for which a satellite must have been received before it is compared, in seconds.
    /// While a receiver searches for satellites, signals appear and disappear.
    private static let minimumReception: Float = 30

    /// The mean C/N0 of a satellite in dB-Hz. `seen` and `first` are the times at which it was last
    /// and first received, in seconds since `start`.
    private struct Level {
        var mean: Float = 0
        var seen: Float = -1000
        var first: Float = 0
    }

    private var levels = [Level](
        repeating: Level(), count: Constellation.allCases.count * SatelliteID.slotsPerSystem)
    private var start: Double?

    static func text(_ finding: Finding) -> String {
        "C/N0 of \(String(finding.details.0, decimals: 0)) satellites fell by "
            + "\(String(finding.value, decimals: 1)) dB "
            + "(limit \(String(finding.threshold, decimals: 1)))"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        let now = sky.moment.now
        let origin = start ?? now
        start = origin
        // Times are stored as `Float` to save memory. It is precise to a second for months.
        let time = Float(now - origin)
        var (sum, count) = (0.0, 0)
        var index = 0
        while let signal = sky.view.nextCombinedSignal(after: &index) {
            guard let cn0 = signal.strength else { continue }
            let slot = signal.id.slot
            guard levels.indices.contains(slot) else { continue }
            var level = levels[slot]
            let elapsed = Double(time - level.seen)
            if elapsed > Self.forgetting {
                level = Level(mean: Float(cn0), seen: time, first: time)
            } else {
                if time - level.first >= Self.minimumReception {
                    sum += Double(level.mean) - cn0
                    count += 1
                }
                let weight = Float(min(1, elapsed / Self.averaging))
                level.mean += (Float(cn0) - level.mean) * weight
                level.seen = time
            }
            levels[slot] = level
        }
        guard count >= Self.minimumCount else { return .unavailable }
        let fall = sum / Double(count)
        guard fall > settings.fall else { return .quiet }
        return .found(.soft, fall, beyond: settings.fall, details: (Double(count), 0))
    }
}
