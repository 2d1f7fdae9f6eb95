// SPDX-License-Identifier: MIT
import GNSS

/// Detects that all satellite systems except one disappear within seconds.
///
/// Simple spoofing devices imitate only GPS, and their noise hides the other systems.
struct SystemsLost: SkyTest {
    static let name = Integrity.Test.systemsLost
    static let evidence = Integrity.Evidence.signals
    static let unit = ""

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

    static func text(_ finding: Finding) -> String {
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
