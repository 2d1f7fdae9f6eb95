// SPDX-License-Identifier: MIT
public import GNSS

/// gpsd's JSON: a `TPV` for every epoch, a `SKY` for every view of satellites.
///
/// For the files of `convert` and `record`. `monitor` and `serve` use `GPSDReports` directly, with times of
/// arrival.
public struct GPSDFormat: OutputFormat, Equatable {
    /// `json`.
    public static let name = "json"
    /// The extensions of JSON, and of JSON with one object per line.
    public static let fileExtensions = ["json", "jsonl", "ndjson"]
    /// The description that `--help` shows.
    public static let summary =
        "gpsd's objects, one per line: TPV and GST for epochs, SKY for satellites"
    /// `false`: epochs without a position are written, too.
    public static let isTrack = false

    private var reports = GPSDReports(device: "")
    /// Whether the last fix was omitted, and its satellites with it.
    private var isLeftOut = false

    /// Creates a writer.
    public init() {}

    /// Sets the device's name.
    public mutating func begin(_ source: OutputSource) {
        reports = GPSDReports(device: source.name, isSimulated: source.isSimulated)
        isLeftOut = false
    }

    /// Writes a `TPV`, an `ATT` if the attitude is known, and a `GST` if deviations are.
    public mutating func write(_ fix: Fix) {
        isLeftOut = false
        reports.report(fix)
        reports.reportDeviations(of: fix)
    }

    /// Writes a `SKY`.
    public mutating func write(_ view: SatelliteView) {
        if !isLeftOut { reports.report(view) }
    }

    /// Omits everything up to the next fix.
    public mutating func skip() {
        isLeftOut = true
    }

    /// Continues after the last complete line.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.starts(with: "{\"class\":".utf8) ? FileEnd(end).kept : nil
    }

    /// Passes the output to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(reports.bytes)
        reports.removeAll()
    }
}
