// SPDX-License-Identifier: MIT
import GNSS

/// Detects that satellite lists are still received, but the C/N0 and the directions of all
/// satellites do not change.
struct SignalsFrozen: SkyTest {
    static let name = Integrity.Test.signalsFrozen
    static let evidence = Integrity.Evidence.signals
    static let unit = "s"

    /// The minimum number of received satellites.
    private static let minimumCount = 6
    /// The minimum number of identical lists.
    private static let minimumLists = 20

    private var last = 0
    private var since = 0.0
    private var latest = 0.0
    private var count = 0

    static func text(_ finding: Finding) -> String {
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
