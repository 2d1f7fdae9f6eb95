// SPDX-License-Identifier: MIT

/// Interpolates unknown altitudes along a path.
package enum AltitudeInterpolation {
    /// Returns an altitude for every point. Unknown altitudes are interpolated linearly.
    /// `positions` are the ascending times or distances of the points along the path, in seconds or
    /// metres. Before the first and after the last known altitude, the altitude is constant. If
    /// none is known, all are 0.
    package static func complete(_ known: [Double?], at positions: [Double]) -> [Double] {
        var altitudes = known.map { $0 ?? 0 }
        var before: Int?
        for (index, altitude) in known.enumerated() {
            guard let altitude else { continue }
            for missing in (before.map { $0 + 1 } ?? 0)..<index {
                let start = before.map { positions[$0] } ?? positions[index]
                let length = positions[index] - start
                let fraction = length > 0 ? (positions[missing] - start) / length : 1
                let from = before.map { altitudes[$0] } ?? altitude
                altitudes[missing] = from + (altitude - from) * fraction
            }
            before = index
        }
        guard let last = before else { return altitudes }
        for missing in last + 1..<altitudes.count { altitudes[missing] = altitudes[last] }
        return altitudes
    }
}
