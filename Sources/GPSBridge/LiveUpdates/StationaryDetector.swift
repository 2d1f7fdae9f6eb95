// SPDX-License-Identifier: MIT
import FoundationEssentials

/// Whether one has been slow for long enough to be standing still, by the receiver's own clock.
struct StationaryDetector {
    private var slowSince: Date?

    mutating func isStationary(after location: Location) -> Bool {
        guard location.speed >= 0, location.speed < LocationUpdate.stationarySpeed else {
            slowSince = nil
            return false
        }
        let since = slowSince ?? location.timestamp
        slowSince = since
        let seconds = location.timestamp.timeIntervalSince(since)
        return .seconds(seconds) >= LocationUpdate.stationaryTime
    }
}
