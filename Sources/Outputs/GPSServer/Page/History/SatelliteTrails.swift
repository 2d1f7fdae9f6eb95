// SPDX-License-Identifier: MIT
import GNSS

/// Stores the satellite views of the last hour, one every two minutes.
struct SatelliteTrails: Sendable {
    private static let spacing = 120.0
    private static let limit = 30

    /// The views, oldest first.
    private(set) var views: [SatelliteView] = []
    private var last = -Double.infinity

    /// Stores a view, unless it is empty or the last one was stored less than two minutes before.
    /// `seconds` is the time on any clock.
    mutating func add(_ view: SatelliteView, at seconds: Double) {
        guard !(0..<Self.spacing ~= seconds - last), !view.signals.isEmpty else { return }
        last = seconds
        views.append(view)
        if views.count > Self.limit { views.removeFirst() }
    }

    /// The satellites' positions in the sky as JSON, in degrees:
    /// `{"G05":[[azimuth,elevation],…],…}`.
    var json: String {
        var trails: [SatelliteID: [String]] = [:]
        for view in views {
            for satellite in view.satellites {
                guard let azimuth = satellite.azimuth, let elevation = satellite.elevation,
                    0...360 ~= azimuth, 0...90 ~= elevation
                else { continue }
                trails[satellite.id, default: []].append(
                    "[\(Int(azimuth.rounded())),\(Int(elevation.rounded()))]")
            }
        }
        var object = JSONObject()
        for (id, trail) in trails.sorted(by: { $0.key < $1.key }) {
            object.add("\(id)", objects: trail)
        }
        return object.description
    }
}
