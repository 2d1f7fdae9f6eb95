// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension Work {
    /// Everything that the library does with a stream, up to its fixes and satellite views.
    static let fixes = Work(name: "decode + fix") { bytes in
        var decoder = NMEADecoder()
        var listener = Listener()
        decoder.push(bytes.span, to: &listener)
        decoder.finish(to: &listener)
        return listener.tally
    }

    private struct Listener: DecoderListener {
        var tally = Tally()

        mutating func take(_ sentence: RawSentence) { tally.sentences += 1 }
        mutating func take(_ fix: Fix, _ view: SatelliteView) {
            keep(fix.coordinate?.latitude)
            keep(view.signals.count)
        }
        mutating func take(_ view: SatelliteView) { keep(view.signals.count) }
    }
}
