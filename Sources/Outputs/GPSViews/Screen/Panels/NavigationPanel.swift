// SPDX-License-Identifier: MIT
import GNSS

/// The state of the anchor watch.
struct AnchorPanel: Panel {
    let title = "Anchor"
    let minimumRows = 3
    let anchor: AnchorState

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (settings, state) = (scene.settings, anchor)
        let glyphs = settings.glyphs
        var rows = Rows(scene)
        let (words, role): (String, Style.Role) =
            switch state.condition {
            // At most 26 characters fit into a window of 80 columns.
            case .setting where state.anchor == nil:
                (state.reason ?? "waiting until at rest", .fair)
            case .setting: ("waiting for a position", .fair)
            case .ok: ("holds", .good)
            case .drag: ("drags", .poor)
            case .lost: ("watch does not work", .poor)
            }
        rows.add("State", words, Style(role).bold)
        let circle = "of \(settings.units.length(state.radius, decimals: 0))"
        let distance = state.distance.map {
            "\(settings.units.length($0, decimals: 0)) \(circle)"
        }
        rows.add("Distance", distance)
        rows.add("Bearing", glyphs.direction(state.bearing))
        rows.draw(on: &canvas)
    }
}

/// The distance, bearing and time to the next waypoint.
struct WaypointPanel: Panel {
    let title = "Waypoint"
    let minimumRows = 4
    let waypoint: WaypointState

    func note(_ scene: Scene) -> String {
        waypoint.count > 1 ? "\(waypoint.number) of \(waypoint.count)" : ""
    }

    func usefulRows(_ scene: Scene) -> Int? { 6 }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (settings, state) = (scene.settings, waypoint)
        let (units, glyphs) = (settings.units, settings.glyphs)
        var rows = Rows(scene)
        // In a small panel, the name of the waypoint is left out in favour of the numbers.
        if canvas.height > 4 {
            let name =
                state.waypoint.name ?? settings.notation.text(state.waypoint.coordinate, glyphs)
            rows.add("Name", name.trimmed)
        }
        rows.add("Distance", state.distance.map(units.distance))
        rows.add("Bearing", glyphs.direction(state.bearing))
        let time = state.hasArrived ? "arrived" : state.timeToGo.map { Elapsed.text($0) }
        rows.add("Time to go", time)
        rows.add(
            "Off track",
            state.crossTrackError.map { error in
                let side = error.magnitude < 0.5 ? "" : error < 0 ? " left" : " right"
                return units.distance(error.magnitude) + side
            })
        if canvas.height > 5 { rows.add("Closing", state.velocityMadeGood.map(units.speed)) }
        rows.draw(on: &canvas)
    }
}

/// Creates the panels for the anchor watch and the route.
enum NavigationPanel {
    static func all(_ navigation: Navigation?) -> [any Panel] {
        guard let navigation else { return [] }
        let anchor = navigation.anchor.map { [AnchorPanel(anchor: $0)] as [any Panel] } ?? []
        return anchor + (navigation.waypoint.map { [WaypointPanel(waypoint: $0)] } ?? [])
    }
}

extension Glyphs {
    /// Returns a direction relative to true north as text: degrees, an arrow and the compass point.
    /// Returns `nil` if the direction is not known.
    fileprivate func direction(_ degrees: Double?) -> String? {
        guard let degrees else { return nil }
        let arrow = isASCII ? "" : " \(self.arrow(degrees))"
        return "\(String(direction: degrees, decimals: 0))\(degree)\(arrow) \(Glyphs.wind(degrees))"
    }
}
