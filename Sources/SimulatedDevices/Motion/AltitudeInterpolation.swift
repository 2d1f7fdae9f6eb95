// SPDX-License-Identifier: MIT

/// Fills gaps between known altitudes along a path.
package enum AltitudeInterpolation {
    /// Returns an altitude for every point. Between known altitudes it is interpolated by `places`
    /// (seconds or metres, ascending); before the first and after the last it is constant; it is 0
    /// if none is known.
    package static func complete(_ known: [Double?], at places: [Double]) -> [Double] {
        var altitudes = known.map { $0 ?? 0 }
        var before: Int?
        for (index, altitude) in known.enumerated() {
            guard let altitude else { continue }
            for missing in (before.map { $0 + 1 } ?? 0)..<index {
                let start = before.map { places[$0] } ?? places[index]
                let length = places[index] - start
                let share = length > 0 ? (places[missing] - start) / length : 1
                let from = before.map { altitudes[$0] } ?? altitude
                altitudes[missing] = from + (altitude - from) * share
            }
            before = index
        }
        guard let last = before else { return altitudes }
        for missing in last + 1..<altitudes.count { altitudes[missing] = altitudes[last] }
        return altitudes
    }
}
