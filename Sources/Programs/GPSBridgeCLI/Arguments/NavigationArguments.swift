// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSReceivers

/// The options for an anchor watch and a route.
struct NavigationArguments: Sendable {
    private var settings = Navigator.Settings()

    /// The options `--anchor` and `--to`.
    static let options: [CommandOption<NavigationArguments>] = [
        .anchor { $0.settings.circle = $1 },
        .init(
            "to", value: "PLACE",
            help:
                "Show the bearing and distance to LAT,LON, or along the route of a GPX file (or to its first waypoint)"
        ) {
            let isFile = $1.lowercased().hasSuffix(".gpx")
            $0.settings.route =
                isFile
                ? try GPXWaypoints(path: $1).route
                : [RoutePoint(try CoordinateArgument.coordinate($1))]
        }.once(),
    ]

    /// Enables the anchor watch and the route for the receivers that this process opens from now
    /// on.
    func activate() {
        guard settings != Navigator.Settings() else { return }
        ReceiverPool.shared.navigation = settings
    }
}
