// SPDX-License-Identifier: MIT
public import GNSS

/// gpsd's JSON: `TPV` for every epoch, `SKY` for every view of satellites.
///
/// Used for files, by `convert` and `record`. `monitor` and `serve` use `GPSDReports` directly, with
/// times of arrival.
public struct GPSDFormat: OutputFormat, Equatable {
    /// `json`.
    public static let name = "json"
    /// The endings of files with one JSON object per line.
    public static let fileExtensions = ["json", "jsonl", "ndjson"]
    /// The description in `--help`.
    public static let summary =
        "gpsd's objects, one a line: TPV and GST for epochs, SKY for satellites"
    /// `false`: it reports every epoch, also those without a position.
    public static let isTrack = false

    private var reports = GPSDReports(device: "")
    /// Whether the last fix was left out; its satellites are left out, too.
    private var isLeftOut = false

    /// Creates a writer.
    public init() {}

    /// Names the device.
    public mutating func begin(_ source: OutputSource) {
        reports = GPSDReports(device: source.name, isSimulated: source.isSimulated)
        isLeftOut = false
    }

    /// Writes a `TPV`, an `ATT` if the attitude is known, and a `GST` if deviations are known.
    public mutating func write(_ fix: Fix) {
        isLeftOut = false
        reports.report(fix)
        reports.reportDeviations(of: fix)
    }

    /// Writes a `SKY`.
    public mutating func write(_ view: SatelliteView) {
        if !isLeftOut { reports.report(view) }
    }

    /// Leaves out the satellites up to the next fix.
    public mutating func skip() {
        isLeftOut = true
    }

    /// Continues after the last complete line.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.starts(with: "{\"class\":".utf8) ? FileEnd(end).kept : nil
    }

    /// Passes the text written so far to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(reports.bytes)
        reports.removeAll()
    }
}
