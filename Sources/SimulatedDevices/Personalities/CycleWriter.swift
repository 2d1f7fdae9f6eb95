// SPDX-License-Identifier: MIT
import GNSS

/// Writes what a receiver makes of an epoch, as its personality has it.
struct CycleWriter: Sendable {
    let personality: Personality
    var wire = WireWriter()
    private var nextView = 0.0

    init(_ personality: Personality) {
        self.personality = personality
    }

    /// What it says when it is switched on.
    mutating func writeStartUp() {
        for sentence in personality.startUp {
            wire.begin(sentence)
            wire.end()
        }
    }

    /// The cycle of an epoch, that many seconds after the first.
    mutating func write(_ observation: Observation, after seconds: Double) {
        // Seconds are sums of rates that need not be whole.
        let listsView = seconds >= nextView - 1e-6
        if listsView { nextView = seconds + personality.viewPeriod }
        let used = observation.satellites.filter(\.isUsed)
        for sentence in personality.cycle {
            switch sentence {
            case .gsa: writeUsed(observation, used)
            case .gsv: if listsView { writeView(observation) }
            default:
                wire.begin(address(of: sentence))
                writeFields(of: sentence, observation, used)
                wire.end()
            }
        }
    }

    private func address(of sentence: CycleSentence) -> String {
        switch sentence {
        case .pubx00, .pgrme, .pgrmz, .pgrmm, .ptnlGGK: sentence.rawValue
        default: personality.talker(of: sentence) + sentence.rawValue
        }
    }

    private mutating func writeFields(
        of sentence: CycleSentence, _ observation: Observation, _ used: [ObservedSatellite]
    ) {
        switch sentence {
        case .gga: writeGGA(observation, used.count)
        case .gns: writeGNS(observation, used)
        case .gll: writeGLL(observation)
        case .rmc: writeRMC(observation)
        case .vtg: writeVTG(observation)
        case .gst: writeGST(observation)
        case .gbs: writeGBS(observation)
        case .zda: writeZDA(observation)
        case .pubx00: writePUBX00(observation, used.count)
        case .pgrme: writePGRME(observation)
        case .pgrmz: writePGRMZ(observation)
        case .pgrmm: wire.text("WGS 84")
        case .ptnlGGK: writePTNLGGK(observation, used.count)
        case .gsa, .gsv: break
        }
    }

    // MARK: What many sentences share

    var decimals: Personality.Decimals { personality.decimals }

    mutating func time(_ observation: Observation) {
        wire.time(observation.time?.time, decimals.seconds)
    }

    /// The mode letter, where the receiver's edition has one: it cannot be set.
    mutating func mode(_ observation: Observation) {
        guard personality.version >= .v2_3 else { return }
        wire.letter(UInt8(ascii: observation.solution == nil ? "N" : "S"))
    }

    /// The navigation status: not provided.
    mutating func navigationStatus() {
        if personality.version >= .v4_10 { wire.letter(UInt8(ascii: "V")) }
    }

    mutating func status(_ observation: Observation) {
        wire.letter(UInt8(ascii: observation.solution == nil ? "V" : "A"))
    }

    /// A dilution within what receivers tell, or what stands for none.
    mutating func dilution(_ value: Double?) {
        if let value, value < 50 {
            wire.fixed(max(0.01, value), decimals.dilution)
        } else {
            wire.text(personality.unknownDilution)
        }
    }

    /// A unit, where there is something to tell or it is named nevertheless.
    mutating func unit(_ letter: Unicode.Scalar, of solution: Solution?) {
        let isNamed = solution != nil || personality.namesLoneUnits
        wire.letter(isNamed ? UInt8(ascii: letter) : nil)
    }

    mutating func metres(_ value: Double?, _ decimals: Int) {
        wire.fixed(value, decimals)
        wire.letter(UInt8(ascii: "M"))
    }
}
