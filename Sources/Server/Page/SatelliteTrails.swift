// SPDX-License-Identifier: MIT
import GNSS

/// Where satellites have been in the last hour: a direction every two minutes.
struct SatelliteTrails: Sendable {
    private static let spacing = 120.0
    private static let limit = 30

    private struct Direction: Sendable {
        let seconds: Double
        let azimuth: Int16
        let elevation: Int16
    }

    private var trails: [SatelliteID: [Direction]] = [:]

    /// Adds a view, `seconds` after any fixed instant.
    mutating func add(_ view: SatelliteView, at seconds: Double) {
        var index = 0
        while let satellite = view.nextSatellite(after: &index) {
            guard let azimuth = satellite.azimuth, let elevation = satellite.elevation,
                0...360 ~= azimuth, 0...90 ~= elevation
            else { continue }
            let last = trails[satellite.id]?.last
            guard last.map({ seconds - $0.seconds >= Self.spacing }) ?? true else { continue }
            trails[satellite.id, default: []].append(
                Direction(
                    seconds: seconds, azimuth: Int16(azimuth.rounded()),
                    elevation: Int16(elevation.rounded())))
        }
        let oldest = seconds - Self.spacing * Double(Self.limit)
        guard trails.values.contains(where: { ($0.first?.seconds ?? 0) < oldest }) else { return }
        trails = trails.mapValues { $0.filter { $0.seconds >= oldest } }
            .filter { !$0.value.isEmpty }
    }

    /// `{"G05":[[azimuth,elevation],…],…}`.
    var json: String {
        var object = JSONObject()
        for (id, trail) in trails.sorted(by: { $0.key < $1.key }) {
            let pairs = trail.map { "[\($0.azimuth),\($0.elevation)]" }
            object.add("\(id)", objects: pairs)
        }
        return object.description
    }
}
