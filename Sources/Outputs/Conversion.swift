// SPDX-License-Identifier: MIT
import GNSS
public import NMEA

/// A recording on its way to gpsd's JSON.
public struct Conversion: ~Copyable {
    private var decoder = NMEADecoder()
    private var sink: Sink

    /// Writes what the decoder hands over.
    private struct Sink: DecoderListener {
        var reports: GPSDReports
        var dilution = DilutionOfPrecision()

        mutating func take(_ fix: Fix, _ view: SatelliteView) {
            dilution = fix.dilution
            reports.report(fix)
        }

        mutating func take(_ view: SatelliteView) {
            reports.report(view, dilution: dilution)
        }
    }

    /// Makes the conversion of a recording that the reports call `device`.
    public init(device: String) {
        sink = Sink(reports: GPSDReports(device: device))
    }

    /// What became of every sentence so far.
    public var statistics: Statistics { decoder.statistics }

    /// The JSON written since the last `removeAll`.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { sink.reports.bytes }
    }

    /// Forgets what was written, and keeps the room.
    public mutating func removeAll() {
        sink.reports.removeAll()
    }

    /// Takes the next bytes of the recording.
    public mutating func push(_ bytes: Span<UInt8>) {
        decoder.push(bytes, to: &sink)
    }

    /// Takes the recording's end.
    public mutating func finish() {
        decoder.finish(to: &sink)
    }
}
