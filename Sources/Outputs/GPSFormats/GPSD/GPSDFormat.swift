// SPDX-License-Identifier: MIT
package import GNSS

/// Writes gpsd's JSON, with a `TPV` for every epoch and a `SKY` for every satellite view.
///
/// `convert` and `record` use this format for files. `monitor` and `serve` use `GPSDReports`
/// directly, with arrival times.
package struct GPSDFormat: OutputFormat, Equatable {
    package static let name = "json"
    package static let fileExtensions = ["json", "jsonl", "ndjson"]
    /// The description that `--help` shows.
    package static let summary =
        "gpsd's JSON objects, one per line: TPV and GST for epochs, SKY for satellites"
    /// The format is not a track, because epochs without a position are also written.
    package static let isTrack = false

    private var reports = GPSDReports(device: "")
    /// Whether the last fix was omitted, so that its satellites are omitted too.
    private var isLeftOut = false

    /// Creates a writer.
    package init() {}

    /// Sets the device's name and the origin of the next fixes.
    package mutating func begin(_ source: OutputSource) {
        // A merge changes the source before the output has been drained.
        let text = reports.text
        reports = GPSDReports(device: source.name, isSimulated: source.isSimulated)
        reports.text = text
        isLeftOut = false
    }

    /// Writes a `TPV`, an `ATT` if the attitude is known, and a `GST` if standard deviations are
    /// known.
    package mutating func write(_ fix: Fix) {
        isLeftOut = false
        reports.report(fix)
        reports.reportDeviations(of: fix)
    }

    /// Writes a `SKY`.
    package mutating func write(_ view: SatelliteView) {
        if !isLeftOut { reports.report(view) }
    }

    /// Omits a fix, and satellite views up to the next fix.
    package mutating func skip() {
        isLeftOut = true
    }

    /// Continues after the last complete line.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.starts(with: "{\"class\":".utf8) ? FileEnd(end).kept : nil
    }

    /// Passes the output to `body`, then removes it.
    package mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(reports.bytes)
        reports.removeAll()
    }
}
