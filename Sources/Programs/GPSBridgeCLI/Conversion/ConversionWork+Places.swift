// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Waypoints and routes.
extension ConversionWork {
    /// Writes the waypoints of all files and then their routes, if the format stores both before
    /// fixes. A file with routes is read three times, for its waypoints, routes and fixes, because
    /// it may contain too many routes to keep in memory.
    mutating func writePlacesFirst(of recordings: [Recording]) async throws {
        var remaining = recordings.filter { arePlacesWritten(of: $0) }
        guard let first = remaining.first else { return }
        conversion.begin(OutputSource(opened: first.name, origin: .replay))
        for writesRoutes in [false, true] {
            var withRoutes: [Recording] = []
            for recording in remaining {
                guard var reader = PlaceReader(recording) else { continue }
                var hasRoute = false
                while let places = try reader.next() {
                    for place in places {
                        switch place {
                        case .waypoint(let waypoint) where !writesRoutes:
                            _ = conversion.add(waypoint)
                        case .route(let route):
                            hasRoute = true
                            if writesRoutes { _ = conversion.add(route) }
                        case .waypoint, .fix, .satellites, .segment: break
                        }
                    }
                    try await writeOutput()
                }
                if hasRoute { withRoutes.append(recording) }
            }
            remaining = withRoutes
        }
    }

    /// Returns whether the waypoints and routes of a recording are written before all fixes.
    func arePlacesWritten(of recording: Recording) -> Bool {
        format?.placesPrecedeFixes == true && PlaceReader.canRead(recording)
    }

    /// Writes the waypoints and routes that a merged recording has read since the last call.
    mutating func writePlaces(of recording: MergedRecording) {
        leftOutCount = 0
        hasWrittenPlaces = arePlacesWritten(of: recording.recording)
        for place in recording.takePlaces() { add(place) }
        // Merged fixes are in order of time, which most routes do not have.
        routes = ReadPlaces(isKept: false)
        reportLeftOut(recording.recording)
    }

    /// Passes the points of routes to the summary and the plot if the recording has no track.
    mutating func observeRoutes() {
        var routes = exchange(&routes, with: ReadPlaces(isKept: false))
        routes.finish { event in
            switch event {
            case .segment:
                plotter?.endSegment()
                summary?.endSegment()
            case .fix(let fix, _): conversion.observe(fix)
            default: break
            }
        }
    }

    /// Counts a waypoint or a route.
    mutating func count(isWritten: Bool) {
        readCount += 1
        leftOutCount += isWritten ? 0 : 1
    }

    /// Prints the number of omitted waypoints and routes (`leftOutCount`).
    mutating func reportLeftOut(_ recording: Recording) {
        guard leftOutCount > 0, let output = self.format?.name else { return }
        progress.clear()
        StandardError.print(
            "\(leftOutCount) waypoints and routes of \(FileName.shown(recording.name)) are not "
                + "written, because in \(output) they precede tracks: convert a regular file by its "
                + "name, not standard input or a pipe")
    }
}
