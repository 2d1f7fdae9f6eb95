// SPDX-License-Identifier: MIT
import GPSFormats

/// The routes in a recording, for a summary or a plot. They must be kept until the end of the
/// recording, because their points are used only if it has no track.
struct KeptRoutes {
    /// The number of points after which no further route is added.
    private static let maximumCount = 100_000

    private var routes: [Route] = []
    private var count = 0
    private var hasTrack = false

    mutating func add(_ route: Route) {
        guard !hasTrack, count < Self.maximumCount else { return }
        routes.append(route)
        count += route.points.count
    }

    /// Drops the routes, because the recording has a track.
    mutating func addTrack() {
        guard !hasTrack else { return }
        (routes, hasTrack) = ([], true)
    }

    /// Removes and returns the routes; none if the recording has a track.
    mutating func take() -> [Route] { exchange(&routes, with: []) }
}
