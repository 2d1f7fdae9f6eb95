// SPDX-License-Identifier: MIT
import NMEA

/// Writes an epoch's sentences in the style of a personality.
struct CycleWriter: Sendable {
    var personality: Personality
    var writer = SentenceWriter()
    private var nextView = 0.0

    init(_ personality: Personality) {
        self.personality = personality
        writer.decimals = personality.decimals
        writer.isExact = false
    }

    /// The bytes of all sentences written since the last `removeAll`.
    var bytes: [UInt8] { writer.bytes }

    /// Discards all written sentences.
    mutating func removeAll() { writer.removeAll() }

    /// Writes the sentences sent after power-on.
    mutating func writeStartUp() {
        for body in personality.startUp { writer.write(body: body) }
    }

    /// Writes the cycle of an epoch, `seconds` after the first epoch. Omits sentences for which
    /// `isDue` returns `false`, and GSV until the personality's `viewPeriod` has passed since the
    /// last list.
    mutating func write(
        _ observation: SimulatedObservation, after seconds: Double, _ isDue: (CycleSentence) -> Bool
    ) {
        // The margin of 1 µs allows for rounding errors of `seconds`.
        let listsView = seconds >= nextView - 1e-6
        if listsView { nextView = seconds + personality.viewPeriod }
        writer.writesUnits = observation.solution != nil || personality.writesUnitsWithoutFix
        for sentence in personality.cycle where (sentence != .gsv || listsView) && isDue(sentence) {
            write(sentence, observation, after: seconds)
        }
    }

    private mutating func write(
        _ sentence: CycleSentence, _ observation: SimulatedObservation, after seconds: Double
    ) {
        switch sentence {
        case .gga: write(gga(observation), as: sentence)
        case .gns: write(gns(observation), as: sentence)
        case .gll: write(gll(observation), as: sentence)
        case .rmc: write(rmc(observation), as: sentence)
        case .vtg: write(vtg(observation), as: sentence)
        case .gst: write(gst(observation), as: sentence)
        case .gbs: write(gbs(observation), as: sentence)
        case .zda: write(zda(observation), as: sentence)
        case .gsa: for gsa in satellitesUsed(observation) { write(gsa, as: sentence) }
        case .gsv:
            for (talker, gsv) in satellitesInView(observation) { writer.write(gsv, talker: talker) }
        case .pubx00: writer.write(pubx00(observation))
        case .pgrme: writer.write(pgrme(observation))
        case .pgrmz: writer.write(pgrmz(observation))
        case .pgrmm: writer.write(pgrmm())
        case .ptnlGGK: writer.write(ptnlGGK(observation))
        case .hdg: write(hdg(observation, after: seconds), as: sentence)
        case .ths: write(ths(observation, after: seconds), as: sentence)
        }
    }

    private mutating func write(_ sentence: some Sentence, as kind: CycleSentence) {
        writer.write(
            sentence, talker: personality.talker(of: kind),
            fieldCount: personality.version.fieldCount(of: kind))
    }

    /// Returns a DOP, at least 0.01. For `nil` or 50 and more, returns the personality's value
    /// for an unknown DOP.
    func dilution(_ value: Double?) -> Double? {
        if let value, value < 50 { max(0.01, value) } else { personality.unknownDilution }
    }
}

extension Personality.Version {
    /// Returns the number of fields of a sentence in this version of NMEA 0183. Returns `nil` if
    /// all versions have the same fields, or if the writer omits an unknown last field.
    fileprivate func fieldCount(of sentence: CycleSentence) -> Int? {
        let mode = self >= .v2_3 ? 1 : 0
        let status = self >= .v4_10 ? 1 : 0
        return switch sentence {
        case .rmc: 11 + mode + status
        case .gll: 6 + mode
        case .vtg: 8 + mode
        case .gns: 12 + status
        case .gbs: 8 + 2 * status
        default: nil
        }
    }
}
