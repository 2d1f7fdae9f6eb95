// SPDX-License-Identifier: MIT
public import GNSS

/// gpsd's JSON: `TPV` for every epoch, `SKY` for every view of satellites.
///
/// For files: `convert` and `record`. `monitor` and `serve` write `GPSDReports` themselves, with times of
/// arrival and report by report.
public struct GPSDFormat: OutputFormat, Equatable {
    /// `json`.
    public static let name = "json"
    /// Of JSON, one object a line.
    public static let fileExtensions = ["json", "jsonl", "ndjson"]
    /// Whose it is.
    public static let summary =
        "gpsd's objects, one a line: TPV and GST for epochs, SKY for satellites"
    /// It reports every epoch, also those without a position.
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

    /// Writes a `TPV`, an `ATT` where the attitude is known, and a `GST` where deviations are.
    public mutating func write(_ fix: Fix) {
        isLeftOut = false
        reports.report(fix)
        reports.reportDeviations(of: fix)
    }

    /// Writes a `SKY`.
    public mutating func write(_ view: SatelliteView) {
        if !isLeftOut { reports.report(view) }
    }

    /// Leaves out what follows up to the next fix.
    public mutating func skip() {
        isLeftOut = true
    }

    /// Continues behind the last whole line.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.starts(with: "{\"class\":".utf8) ? FileEnd(end).kept : nil
    }

    /// Hands over what was written, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(reports.bytes)
        reports.removeAll()
    }
}
