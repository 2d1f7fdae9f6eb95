// SPDX-License-Identifier: MIT
import NMEA

extension Work {
    /// Everything that the library does with a stream, up to its fixes and satellite views.
    static let fixes = Work(name: "decode + fix") { bytes in
        var decoder = NMEADecoder()
        var tally = Tally()
        func take(_ event: DecoderEvent) {
            switch event {
            case .sentence: tally.sentences += 1
            case .fix(let fix, _): keep(fix)
            case .satellites(let view): keep(view)
            case .rejected, .tagBlock: break
            }
        }
        decoder.push(bytes.span, take)
        decoder.finish(take)
        return tally
    }
}
