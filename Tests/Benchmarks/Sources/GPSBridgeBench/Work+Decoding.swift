// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension Work {
    /// Decodes every field of the nine sentences to typed values, without fixes.
    static let decoding = Work(name: "typed decode") { bytes in
        var framer = Framer()
        var tally = Tally(check: 0)
        framer.push(bytes.span, sentence: { decode($0, &tally) }, other: { _ in })
        framer.finish { _ in }
        return tally
    }

    private static func decode(_ raw: RawSentence, _ tally: inout Tally) {
        guard case .standard(let formatter) = raw.address.kind else { return }
        var fields = raw.fields
        do {
            switch formatter {
            case "GSV":
                var sentence = try GSV(&fields)
                keep(&sentence)
            case "GSA":
                var sentence = try GSA(&fields)
                keep(&sentence)
            case "GGA":
                var sentence = try GGA(&fields)
                keep(&sentence)
                tally.check? += sentence.coordinate?.latitude ?? 0
            case "RMC":
                var sentence = try RMC(&fields)
                keep(&sentence)
                tally.check? += sentence.coordinate?.latitude ?? 0
            case "VTG":
                var sentence = try VTG(&fields)
                keep(&sentence)
            case "GLL":
                var sentence = try GLL(&fields)
                keep(&sentence)
                tally.check? += sentence.coordinate?.latitude ?? 0
            case "ZDA":
                var sentence = try ZDA(&fields)
                keep(&sentence)
            case "GST":
                var sentence = try GST(&fields)
                keep(&sentence)
            case "GNS":
                var sentence = try GNS(&fields)
                keep(&sentence)
                tally.check? += sentence.coordinate?.latitude ?? 0
            default: return
            }
        } catch {
            return
        }
        tally.sentences += 1
    }
}
