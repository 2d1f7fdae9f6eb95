// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import NMEA
import Synchronization

/// The output format of `convert --summary`.
enum SummaryFormat: String, CaseIterable {
    case text, json
}

/// Collects the data of `convert --summary`, and passes it on to the plot, if there is one.
final class SummaryReport: OriginListener, Sendable {
    private let summary: Mutex<TrackSummary>
    private let plotter: Plotter?

    init(gap: Double, plotter: Plotter?) {
        summary = Mutex(TrackSummary(gap: gap))
        self.plotter = plotter
    }

    /// The number of fixes with a position so far.
    var fixCount: Int { summary.withLock { $0.fixCount } }

    /// Begins another recording.
    func begin() {
        summary.withLock { $0.beginRecording() }
    }

    /// Ends the current segment of the track, so that the next fix begins a new one.
    func endSegment() {
        summary.withLock { $0.endSegment() }
    }

    /// Ends the current segment, because the next fix is from another receiver.
    func didChange(origin: DataOrigin) {
        plotter?.didChange(origin: origin)
        endSegment()
    }

    func didReceive(fix: Fix, satellites view: SatelliteView) {
        plotter?.didReceive(fix: fix, satellites: view)
        summary.withLock { $0.add(fix) }
    }

    func didReceive(satellites view: SatelliteView) {
        plotter?.didReceive(satellites: view)
    }

    /// Returns the summary as text or JSON.
    func text(_ format: SummaryFormat, _ units: Units) -> String {
        let summary = summary.withLock { $0 }
        return switch format {
        case .text: Self.text(summary, units)
        case .json: Self.json(summary)
        }
    }

    /// Returns the summary as JSON. Distances and heights are in metres, durations in seconds,
    /// speeds in metres per second.
    private static func json(_ summary: TrackSummary) -> String {
        var json = JSONObject()
        json.add("fixes", summary.fixCount)
        if summary.repeatedCount > 0 { json.add("repeated", summary.repeatedCount) }
        json.add("start", summary.start?.description)
        json.add("end", summary.end?.description)
        for (name, value) in [
            ("duration", summary.duration), ("moving", summary.movingTime),
            ("distance", summary.distance), ("averageSpeed", summary.averageSpeed),
            ("maximumSpeed", summary.maximumSpeed), ("lowest", summary.lowest),
            ("highest", summary.highest), ("climb", summary.climb), ("descent", summary.descent),
        ] {
            json.add(name, value, decimals: 3)
        }
        json.add("atRest", summary.duration.map { _ in summary.restTime }, decimals: 3)
        json.add("stops", summary.stops)
        return json.description + "\n"
    }

    private static func text(_ summary: TrackSummary, _ units: Units) -> String {
        var lines = [("fixes", "\(summary.fixCount)")]
        if summary.repeatedCount > 0 {
            lines.append(
                (
                    "left out",
                    "\(summary.repeatedCount) fixes in a period that an earlier part covers"
                ))
        }
        func add(_ name: String, _ text: String?) { if let text { lines.append((name, text)) } }
        add("from", summary.start?.description)
        add("to", summary.end?.description)
        lines += summary.rows(units).map { ($0.name, $0.value) }
        return lines.map { $0.trailing(15) + $1 + "\n" }.joined()
    }
}
