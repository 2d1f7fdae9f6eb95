// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension Work {
    /// Every field of the nine sentences into typed values; no fixes.
    static let decoding = Work(name: "typed decode") { bytes in
        var framer = Framer()
        var tally = Tally(check: 0)
        framer.push(bytes.span) {
            if case .sentence(let raw) = $0 { decode(raw, &tally) }
        }
        framer.finish { _ in }
        return tally
    }

    private static func decode(_ raw: RawSentence, _ tally: inout Tally) {
        guard case .standard(let formatter) = raw.address.kind else { return }
        var fields = raw.fields
        do {
            switch formatter {
            case "GGA": add(try read(GGA.self, &fields).coordinate, &tally)
            case "GLL": add(try read(GLL.self, &fields).coordinate, &tally)
            case "GSA": _ = try read(GSA.self, &fields)
            case "GSV": _ = try read(GSV.self, &fields)
            case "RMC": add(try read(RMC.self, &fields).coordinate, &tally)
            case "VTG": _ = try read(VTG.self, &fields)
            case "ZDA": _ = try read(ZDA.self, &fields)
            case "GNS": add(try read(GNS.self, &fields).coordinate, &tally)
            case "GST": _ = try read(GST.self, &fields)
            default: return
            }
        } catch {
            return
        }
        tally.sentences += 1
    }

    @inline(__always)
    private static func read<Kind: Sentence>(
        _ kind: Kind.Type, _ fields: inout FieldReader
    ) throws(NMEAError) -> Kind {
        let sentence = try Kind(&fields)
        keep(sentence)
        return sentence
    }

    private static func add(_ coordinate: Coordinate?, _ tally: inout Tally) {
        tally.check? += coordinate?.latitude ?? 0
    }
}
