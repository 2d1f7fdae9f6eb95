// SPDX-License-Identifier: MIT
package import GNSS

/// Writes gpsd's JSON, with a `TPV` for every epoch and a `SKY` for every satellite view.
///
/// `convert` and `record` use this format for files. `monitor` and `serve` use `GPSDReports`
/// directly, with arrival times.
package struct GPSDFormat: OutputFormat, Equatable {
    /// The format is not a track, because epochs without a position are also written.
    package static let traits = FormatTraits(
        name: "json", extensions: ["json", "jsonl", "ndjson"],
        summary: "gpsd's JSON objects, one per line: TPV and GST for epochs, SKY for satellites",
        isTrack: false, wantsSatellites: true)

    private var reports = GPSDReports(device: "")

    package init(_ metadata: OutputMetadata) {}

    /// Sets the device's name and the origin of the next fixes.
    package mutating func begin(_ source: OutputSource) {
        // A merge changes the source before the output has been drained.
        let text = reports.text
        reports = GPSDReports(device: source.name, isSimulated: source.isSimulated)
        reports.text = text
    }

    /// Writes a `TPV`, an `ATT` if the attitude is known, and a `GST` if standard deviations are
    /// known.
    package mutating func write(_ fix: Fix) {
        reports.report(fix)
        reports.reportDeviations(of: fix)
    }

    /// Writes a `SKY`.
    package mutating func write(_ view: SatelliteView) {
        reports.report(view)
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
