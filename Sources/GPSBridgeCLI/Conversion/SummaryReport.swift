// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import NMEA
import Synchronization

/// The output format of `convert --summary`.
enum SummaryFormat: String, CaseIterable {
    case text, json
}

/// Collects the data of `convert --summary`.
final class SummaryReport: DecoderListener, Sendable {
    private let summary: Mutex<TrackSummary>

    init(gap: Double) {
        summary = Mutex(TrackSummary(gap: gap))
    }

    /// The number of fixes with a position.
    var fixCount: Int { summary.withLock { $0.fixCount } }

    /// Begins another recording.
    func begin() {
        summary.withLock { $0.beginRecording() }
    }

    func didReceive(fix: Fix, satellites view: SatelliteView) {
        summary.withLock { $0.add(fix) }
    }

    func didReceive(satellites view: SatelliteView) {}

    /// Returns the text to print.
    func text(_ format: SummaryFormat, _ units: Units) -> String {
        let summary = summary.withLock { $0 }
        return switch format {
        case .text: Self.text(summary, units)
        case .json: Self.json(summary)
        }
    }

    /// Returns JSON in metres, seconds and metres per second.
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
        return json.description + "\n"
    }

    private static func text(_ summary: TrackSummary, _ units: Units) -> String {
        var lines = [("fixes", "\(summary.fixCount)")]
        if summary.repeatedCount > 0 {
            lines.append(
                ("left out", "\(summary.repeatedCount) fixes at times of an earlier recording"))
        }
        func add(_ name: String, _ text: String?) { if let text { lines.append((name, text)) } }
        add("from", summary.start?.description)
        add("to", summary.end?.description)
        lines += summary.rows(units).map { ($0.name, $0.value) }
        return lines.map { name, text in
            name + String(repeating: " ", count: 15 - name.count) + text + "\n"
        }.joined()
    }
}

/// Passes everything to a plot and to a summary.
final class PlotAndSummary: DecoderListener {
    private let plotter: Plotter
    private let summary: SummaryReport

    init(_ plotter: Plotter, _ summary: SummaryReport) {
        self.plotter = plotter
        self.summary = summary
    }

    func didReceive(fix: Fix, satellites view: SatelliteView) {
        plotter.didReceive(fix: fix, satellites: view)
        summary.didReceive(fix: fix, satellites: view)
    }

    func didReceive(satellites view: SatelliteView) {
        plotter.didReceive(satellites: view)
    }
}
