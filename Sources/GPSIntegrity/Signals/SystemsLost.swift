// SPDX-License-Identifier: MIT
import GNSS

/// All satellite systems but one vanish within seconds, and that one stays.
///
/// Simple devices send false signals of GPS alone, and their noise covers the other systems.
struct SystemsLost: SkyTest {
    static let name = Integrity.Test.systemsLost
    static let evidence = Integrity.Evidence.signals
    static let unit = ""

    private static let systems: [Constellation] = [.gps, .galileo, .beiDou, .glonass]
    /// The number of satellites that a system must have had, and that the remaining one must have.
    fileprivate static let (fewest, remaining) = (3, 4)
    /// Seconds for which a system must have been there, and for which its loss is news.
    fileprivate static let (steady, news) = (30.0, 60.0)

    fileprivate struct Presence {
        /// Since when the system has had enough satellites, and when it had them last.
        var (since, last) = (0.0, -1000.0)
        /// When the last satellite vanished after that.
        var lost: Double?
        var wasSteady = false
    }

    private var presences = Constellation.Table<Presence>(repeating: Presence())

    static func text(_ finding: Finding) -> String {
        "\(String(finding.value, decimals: 0)) satellite systems vanished, one remains"
    }

    mutating func examine(_ sky: SkyEvidence, _ settings: IntegrityMonitor.Settings) -> Verdict {
        let now = sky.moment.now
        var counts = Constellation.Table<Int>(repeating: 0)
        var index = 0
        while let signal = sky.view.nextCombinedSignal(after: &index) {
            if signal.cn0 != nil { counts[Int(signal.id.constellation.rawValue)] += 1 }
        }
        var (staying, lost, gone, present) = (0, 0, 0, 0)
        for system in Self.systems {
            let place = Int(system.rawValue)
            let count = counts[place]
            presences[place].add(count, at: now, within: settings.systemsTime)
            if count > 0 { present += 1 }
            if count >= Self.remaining { staying += 1 }
            if presences[place].wasSteady { lost += 1 }
            if let end = presences[place].lost, now - end < Self.news { gone += 1 }
        }
        guard lost + staying > 1 else { return .unavailable }
        guard present == 1, staying == 1, gone > 0 else { return .quiet }
        return .hit(Finding(weight: .soft, value: Double(gone), threshold: 1))
    }
}

extension SystemsLost.Presence {
    /// Adds the number of received satellites.
    fileprivate mutating func add(_ count: Int, at now: Double, within limit: Double) {
        if count >= SystemsLost.fewest {
            if now - last > limit { since = now }
            last = now
            lost = nil
            wasSteady = now - since >= SystemsLost.steady
        } else if count == 0, wasSteady {
            if now - last <= limit { lost = now }
            wasSteady = false
        }
    }
}
