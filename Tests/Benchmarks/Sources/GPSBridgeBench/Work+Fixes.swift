// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension Work {
    /// Decodes a stream completely, up to its fixes and satellite views.
    static let fixes = Work(name: "decode + fix") { bytes in
        var decoder = NMEADecoder()
        var listener = Listener()
        decoder.push(bytes.span, to: &listener)
        decoder.finish(to: &listener)
        listener.tally.sentences = decoder.statistics.accepted
        return listener.tally
    }

    private struct Listener: DecoderListener {
        var tally = Tally()

        var wantsSentences: Bool { false }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            keep(fix.coordinate?.latitude)
            keep(view.signals.count)
        }
        mutating func didReceive(satellites view: SatelliteView) { keep(view.signals.count) }
    }
}
