// SPDX-License-Identifier: MIT
import GNSS
public import NMEA

/// A recording on its way to gpsd's JSON.
public struct Conversion: ~Copyable {
    private var decoder = NMEADecoder()
    private var sink: Sink

    /// What the decoder's events are written to, while the decoder works.
    private struct Sink: ~Copyable {
        var reports: GPSDReports
        var dilution = DilutionOfPrecision()

        mutating func take(_ event: DecoderEvent) {
            switch event {
            case .fix(let fix, _):
                dilution = fix.dilution
                reports.report(fix)
            case .satellites(let view):
                reports.report(view, dilution: dilution)
            case .sentence, .rejected, .tagBlock:
                break
            }
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
        Self.push(bytes, &decoder, &sink)
    }

    /// Takes the recording's end.
    public mutating func finish() {
        Self.finish(&decoder, &sink)
    }

    private static func push(
        _ bytes: Span<UInt8>, _ decoder: inout NMEADecoder, _ sink: inout Sink
    ) {
        decoder.push(bytes) { sink.take($0) }
    }

    private static func finish(_ decoder: inout NMEADecoder, _ sink: inout Sink) {
        decoder.finish { sink.take($0) }
    }
}
