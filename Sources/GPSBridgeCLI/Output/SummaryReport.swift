// SPDX-License-Identifier: MIT
import Figures
import GNSS
import NMEA
import Outputs
import Synchronization

/// How `convert --summary` is printed.
enum SummaryFormat: String, CaseIterable {
    case text, json
}

/// Collects the data of `convert --summary`.
final class SummaryReport: DecoderListener, Sendable {
    private let summary: Mutex<TrackSummary>

    init(gap: Double) {
        summary = Mutex(TrackSummary(gap: gap))
    }

    /// Goes on with another source.
    func begin() {
        summary.withLock { $0.breakOff() }
    }

    func didReceive(fix: inout Fix, satellites view: SatelliteView) {
        let fix = fix
        summary.withLock { $0.add(fix) }
    }

    func didReceive(satellites view: SatelliteView) {}

    /// The text to print.
    func text(_ format: SummaryFormat, _ units: Units) -> String {
        let summary = summary.withLock { $0 }
        return switch format {
        case .text: Self.text(summary, units)
        case .json: Self.json(summary)
        }
    }

    /// Metres, seconds and metres a second.
    private static func json(_ summary: TrackSummary) -> String {
        var json = JSONObject()
        json.add("fixes", summary.fixCount)
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
        func add(_ name: String, _ text: String?) { if let text { lines.append((name, text)) } }
        add("from", summary.start?.description)
        add("to", summary.end?.description)
        add("duration", summary.duration.map(clock))
        add("moving", clock(summary.movingTime))
        let (length, sign) = units.distance
        add("distance", "\(String(summary.distance / length, decimals: 3)) \(sign)")
        add("average speed", summary.averageSpeed.map { speed($0, units) })
        add("maximum speed", summary.maximumSpeed.map { speed($0, units) })
        add("lowest", summary.lowest.map { units.length($0) })
        add("highest", summary.highest.map { units.length($0) })
        add("climb", summary.highest.map { _ in units.length(summary.climb) })
        add("descent", summary.highest.map { _ in units.length(summary.descent) })
        return lines.map { name, text in
            name + String(repeating: " ", count: 15 - name.count) + text + "\n"
        }.joined()
    }

    private static func speed(_ speed: Double, _ units: Units) -> String {
        "\(String(speed / units.speed.metres, decimals: 1)) \(units.speed.sign)"
    }

    /// Hours, minutes and seconds.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }
}

/// Hands everything to a plot and to a summary.
final class PlotAndSummary: DecoderListener {
    private let plotter: Plotter
    private let summary: SummaryReport

    init(_ plotter: Plotter, _ summary: SummaryReport) {
        self.plotter = plotter
        self.summary = summary
    }

    func didReceive(fix: inout Fix, satellites view: SatelliteView) {
        plotter.didReceive(fix: &fix, satellites: view)
        summary.didReceive(fix: &fix, satellites: view)
    }

    func didReceive(satellites view: SatelliteView) {
        plotter.didReceive(satellites: view)
    }
}
