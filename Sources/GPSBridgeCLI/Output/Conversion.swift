// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import Outputs

/// A recording on its way to gpsd's JSON.
struct Conversion: ~Copyable {
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

    init(device: String) {
        sink = Sink(reports: GPSDReports(device: device))
    }

    /// What became of every sentence so far.
    var statistics: Statistics { decoder.statistics }

    /// The JSON written since it was taken last.
    mutating func takeBytes() -> [UInt8] {
        defer { sink.reports.removeAll() }
        return sink.reports.bytes
    }

    /// Takes the next `count` bytes of the recording.
    mutating func push(_ buffer: [UInt8], _ count: Int) {
        Self.push(buffer.span.extracting(0..<count), &decoder, &sink)
    }

    /// Takes the recording's end.
    mutating func finish() {
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
