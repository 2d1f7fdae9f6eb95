// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSReceivers

/// The options for an anchor watch and a route.
struct NavigationArguments: Sendable {
    private var settings = Navigator.Settings()

    /// The options `--anchor` and `--to`.
    static let options: [CommandOption<NavigationArguments>] = [
        .anchor { $0.setAnchor($1) },
        .init(
            "to", value: "PLACE",
            help:
                "Show the way to LAT,LON, or along the route of a GPX file (or to its first waypoint)"
        ) { try $0.setDestination($1) }.once(),
    ]

    /// Sets the circle of the anchor watch.
    mutating func setAnchor(_ circle: AnchorCircle) { settings.circle = circle }

    /// Sets the route to `LAT,LON`, or along the route in a GPX file.
    mutating func setDestination(_ text: String) throws {
        let isFile = text.lowercased().hasSuffix(".gpx")
        settings.route =
            isFile
            ? try GPXWaypoints(path: text).route
            : [RoutePoint(try CoordinateArgument.coordinate(text))]
    }

    /// Enables the anchor watch and the route for the receivers that this process opens from now
    /// on.
    func activate() {
        guard settings != Navigator.Settings() else { return }
        ReceiverPool.shared.navigation = settings
    }
}
