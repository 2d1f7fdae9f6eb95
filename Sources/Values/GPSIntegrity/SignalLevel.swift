// SPDX-License-Identifier: MIT
import GNSS

/// Detects signals that are stronger than those of real satellites.
struct SignalLevel: SkyTest {
    static let name = Integrity.Test.signalLevel
    static let unit = "dB-Hz"

    /// The minimum number of satellites for comparing the mean C/N0.
    private static let minimumCount = 4

    /// A value that no C/N0 reaches, in dB-Hz. A receiver that reports it from the start uses
    /// another scale, such as 0 to 99.
    private static let impossible = 70.0
    /// The number of lists without an `impossible` value after which the scale is known.
    private static let minimumLists = 30

    private var lists = 0
    private var hasOtherScale = false

    static func text(_ finding: TestHit) -> String {
        let value = String(finding.value, decimals: 1)
        let limit = String(finding.threshold, decimals: 0)
        return finding.details.0 > 0
            ? "mean C/N0 of \(String(finding.details.0, decimals: 0)) satellites is \(value) dB-Hz "
                + "(limit \(limit))"
            : "C/N0 of a satellite is \(value) dB-Hz (limit \(limit))"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        let strengths = sky.strengths
        guard strengths.count > 0 else { return .unavailable }
        if lists < Self.minimumLists, strengths.highest > Self.impossible { hasOtherScale = true }
        lists = min(lists + 1, Self.minimumLists)
        guard !hasOtherScale else { return .unavailable }
        if strengths.count >= Self.minimumCount, strengths.mean > settings.highestMean {
            return .found(
                .soft, strengths.mean, beyond: settings.highestMean,
                details: (Double(strengths.count), 0))
        }
        guard strengths.highest > settings.highest else { return .quiet }
        return .found(.soft, strengths.highest, beyond: settings.highest)
    }
}

/// Detects a fix that uses a satellite below the horizon.
struct BelowHorizon: SkyTest {
    static let name = Integrity.Test.belowHorizon
    static let unit = "deg"

    /// The angle below the horizon, in degrees, at which a satellite can still be received. The
    /// atmosphere bends signals around the horizon by up to 0.7°, and elevations are rounded to
    /// whole degrees.
    private static let refraction = 1.0

    static func text(_ finding: TestHit) -> String {
        let degrees = String(-finding.value, atMostDecimals: 1)
        return "a satellite \(degrees) degrees below the horizon is used"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        // At high altitude, satellites are visible slightly below an elevation of 0°.
        let height = max(0, min(sky.altitude ?? 0, 100_000))
        let dip = (2 * height / WGS84.semiMajor).squareRoot().degrees
        let horizon = -dip - Self.refraction
        var lowest: Double?
        for signal in sky.view.signals {
            guard let elevation = signal.elevation, sky.view.used.contains(signal.id) else {
                continue
            }
            lowest = min(lowest ?? elevation, elevation)
        }
        guard let lowest else { return .unavailable }
        guard lowest < horizon else { return .quiet }
        return .found(.soft, lowest, beyond: horizon)
    }
}

/// Detects that the gain of the receiver's amplifier fell below its mean over the last minutes,
/// because the antenna receives more power.
struct GainFall: FixTest {
    static let name = Integrity.Test.gainFall
    static let evidence = Integrity.Evidence.signals

    /// The averaging time of the gain, in seconds.
    private static let averaging = 300.0
    /// The time after which the mean is used, in seconds.
    private static let minimumSpan = 60.0

    private var mean = 0.0
    private var seconds = 0.0
    private var last: Double?

    static func text(_ finding: TestHit) -> String {
        "receiver's gain fell to \(String(100 * finding.value, decimals: 0)) % of its mean "
            + "(limit \(String(100 * finding.threshold, decimals: 0)) %)"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let gain = epoch.fix.gain.map(Double.init), gain.isFinite else {
            return .unavailable
        }
        let now = epoch.moment.now
        let elapsed = last.map { now - $0 } ?? 0
        last = now
        defer {
            seconds = min(Self.averaging, seconds + elapsed)
            mean += (gain - mean) * (seconds > 0 ? min(1, elapsed / seconds) : 1)
        }
        guard seconds >= Self.minimumSpan, mean > 0 else { return .unavailable }
        guard gain < settings.gainFraction * mean else { return .quiet }
        return .found(.soft, gain / mean, beyond: settings.gainFraction)
    }
}

/// Detects that all satellites became weaker, because of a jammer, or because of a bridge or a hand
/// over the antenna.
///
/// It compares the C/N0 of each satellite with its own mean over the last seconds.
struct SignalFall: SkyTest {
    static let name = Integrity.Test.signalFall
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

    static func text(_ finding: TestHit) -> String {
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

/// Detects that satellite lists are still received, but the C/N0 and the directions of all
/// satellites do not change.
struct SignalsFrozen: SkyTest {
    static let name = Integrity.Test.signalsFrozen
    static let unit = "s"

    /// The minimum number of received satellites.
    private static let minimumCount = 6
    /// The minimum number of identical lists.
    private static let minimumLists = 20

    private var last = 0
    private var since = 0.0
    private var latest = 0.0
    private var count = 0

    static func text(_ finding: TestHit) -> String {
        "C/N0 of \(String(finding.details.0, decimals: 0)) satellites unchanged for "
            + "\(String(finding.value, decimals: 0)) s"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        let (state, measured) = Self.state(of: sky.view)
        let now = sky.moment.now
        // A receiver that reports the same C/N0 for all satellites does not measure it.
        guard measured >= Self.minimumCount, !sky.strengths.isUniform else {
            count = 0
            return .unavailable
        }
        defer { latest = now }
        // The strengths may have changed during a gap.
        guard state == last, count > 0, now - latest <= settings.frozenTime else {
            (last, since, count) = (state, now, 1)
            return .quiet
        }
        count += 1
        guard count >= Self.minimumLists, now - since >= settings.frozenTime else { return .quiet }
        return .found(
            .soft, now - since, beyond: settings.frozenTime, details: (Double(measured), 0))
    }

    /// Returns a hash of the list's content, and the number of received satellites.
    private static func state(of view: SatelliteView) -> (Int, measured: Int) {
        var (state, measured) = (17, 0)
        // The signals of a satellite follow one another.
        var counted: SatelliteID?
        func add(_ value: Double?) {
            state = state &* 1_000_003 &+ Int(truncatingIfNeeded: (value ?? -1).bitPattern >> 20)
        }
        for signal in view.signals {
            state = state &* 1_000_003 &+ Int(signal.sortKey)
            add(signal.cn0)
            add(signal.elevation)
            add(signal.azimuth)
            if signal.strength != nil, signal.id != counted {
                measured += 1
                counted = signal.id
            }
        }
        return (state, measured)
    }
}

/// Detects that all satellite systems except one disappear within seconds.
///
/// Simple spoofing devices imitate only GPS, and their noise hides the other systems.
struct SystemsLost: SkyTest {
    static let name = Integrity.Test.systemsLost

    private static let systems: [Constellation] = [.gps, .galileo, .beiDou, .glonass]
    /// The minimum number of satellites with which a system counts as received. Only a system that
    /// was received can be lost.
    fileprivate static let minimumCount = 3
    /// The minimum number of satellites of the system that remains.
    fileprivate static let minimumRemaining = 4
    /// The minimum time for which a system must have been received to count as lost later, in
    /// seconds.
    fileprivate static let minimumReception = 30.0
    /// The time for which the loss of a system counts as evidence, in seconds.
    fileprivate static let recentPeriod = 60.0

    fileprivate struct Presence {
        /// The `EpochTime.now` since which the system has had enough satellites.
        var since = 0.0
        /// `EpochTime.now` when the system last had enough satellites.
        var last = -1000.0
        /// `EpochTime.now` when the system disappeared; `nil` if it has not.
        var lost: Double?
        /// Whether the system had been received for `minimumReception` seconds when it last had
        /// enough satellites.
        var wasSteady = false
    }

    private var presences = Constellation.Table<Presence>(repeating: Presence())

    static func text(_ finding: TestHit) -> String {
        "\(String(finding.value, decimals: 0)) constellations are no longer received, one remains"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict {
        let now = sky.moment.now
        var counts = Constellation.Table<Int>(repeating: 0)
        var index = 0
        while let signal = sky.view.nextCombinedSignal(after: &index) {
            if signal.strength != nil { counts[Int(signal.id.constellation.rawValue)] += 1 }
        }
        var (staying, lost, gone, present) = (0, 0, 0, 0)
        for system in Self.systems {
            let slot = Int(system.rawValue)
            let count = counts[slot]
            presences[slot].add(count, at: now, within: settings.systemsTime)
            if count > 0 { present += 1 }
            if count >= Self.minimumRemaining { staying += 1 }
            if presences[slot].wasSteady { lost += 1 }
            if let end = presences[slot].lost, now - end < Self.recentPeriod { gone += 1 }
        }
        guard lost + staying > 1 else { return .unavailable }
        guard present == 1, staying == 1, gone > 0 else { return .quiet }
        return .found(.soft, Double(gone), beyond: 1)
    }
}

extension SystemsLost.Presence {
    /// Adds the number of received satellites of the system in a list. The system counts as lost
    /// if its satellites disappear within `limit` seconds.
    fileprivate mutating func add(_ count: Int, at now: Double, within limit: Double) {
        if count >= SystemsLost.minimumCount {
            if now - last > limit { since = now }
            last = now
            lost = nil
            wasSteady = now - since >= SystemsLost.minimumReception
        } else if count == 0, wasSteady {
            if now - last <= limit { lost = now }
            wasSteady = false
        }
    }
}
