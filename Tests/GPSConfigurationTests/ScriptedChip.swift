// SPDX-License-Identifier: MIT
import GPSConfiguration
import UBX

/// A chip that answers sentences by the beginning of the request.
struct ScriptedChip: ModelChip {
    var baudRate: Int
    /// The beginning of a request, and the sentences that answer it without `$` and checksum. `PERIOD`
    /// stands for the milliseconds between fixes, `LIST` for the intervals of sentences.
    var script: [(request: String, answers: [String])]
    /// The sentences that the chip sends without a request.
    var sentences: [String]
    /// The number of fixes after which the sentences are sent.
    var interval = 1
    var obeysRates = true
    /// Whether PMTK220 sets only the interval of the sentences, and PMTK300 that of the fixes.
    var hasFixInterval = false
    private var period = 1000
    private var fixPeriod = 1000
    private var list = "0,1,0,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0"
    private(set) var requests: [String] = []

    init(
        baudRate: Int = 115_200, sentences: [String] = ["RMC", "GGA"],
        _ script: [(request: String, answers: [String])]
    ) {
        (self.baudRate, self.sentences, self.script) = (baudRate, sentences, script)
    }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let text = String(decoding: bytes, as: UTF8.self)
        let request = String(text.prefix { $0 != "*" && !$0.isNewline })
        requests.append(request)
        let value = request.split(separator: ",").last.flatMap { Int($0) }
        let setsRate = request.hasPrefix("$PAIR050,") || request.hasPrefix("$PMTK220,")
        if obeysRates, setsRate, let value {
            period = value
            if !hasFixInterval { fixPeriod = value }
        }
        if obeysRates, hasFixInterval, request.hasPrefix("$PMTK300,") {
            fixPeriod = Int(request.dropFirst(9).prefix { $0 != "," }) ?? fixPeriod
        }
        if request.hasPrefix("$PMTK314,") { list = String(request.dropFirst(9)) }
        let answers = script.first { request.hasPrefix($0.request) }?.answers ?? []
        return answers.map { answer in
            let body = answer.replacing("PERIOD", with: "\(fixPeriod)")
                .replacing("LIST", with: list)
            return (30, sentence(body))
        }
    }

    mutating func output(tenth: Int) -> [UInt8] {
        guard tenth.isMultiple(of: period / 100 * interval) else { return [] }
        let time = 120_000 + Double(tenth % 600) / 10
        return sentences.flatMap { sentence("GN\($0),\(time),V") }
    }
}

/// A u-blox chip of the generations before the configuration database.
struct LegacyChip: ModelChip {
    var settings: [UBXMessageID: [UInt8]]
    var intervals: [UBXMessageID: UInt8] = [:]
    var supported: UInt8 = 0x07
    var simultaneous: UInt8 = 2
    var ignoresConfiguration = false
    var refusesConstellations = false
    /// The version of the protocol; `nil` if MON-VER does not contain it.
    var protocolVersion: String? = "18.00"
    private(set) var changes: [UBXMessageID] = []
    private(set) var saves = 0

    init(baudRate: UInt32 = 9600) {
        var port = CfgPRT()
        port.baudRate = baudRate
        (port.input, port.output) = (.ubx.union(.nmea), .ubx.union(.nmea))
        var gnss = CfgGNSS()
        gnss.blocks = [(0, true), (1, true), (2, false), (3, false), (5, true), (6, true)].map {
            var block = CfgGNSS.Block()
            block.gnssID = UInt8($0.0)
            block.isEnabled = $0.1
            return block
        }
        settings = [
            CfgPRT.id: port.payload, CfgGNSS.id: gnss.payload, CfgRATE.id: CfgRATE().payload,
            CfgNAV5.id: CfgNAV5().payload, CfgNMEA.id: CfgNMEA().payload,
            CfgNAVX5.id: CfgNAVX5().payload,
        ]
        for number: UInt8 in [0, 2, 3, 4, 5] { intervals[UBXMessageID(0xF0, number)] = 1 }
        for id in [UBXMessageID(0xF0, 1), NavPVT.id, NavSAT.id, NavDOP.id, NavEOE.id] {
            intervals[id] = 0
        }
    }

    var baudRate: Int {
        settings[CfgPRT.id].flatMap { CfgPRT(payload: $0.span) }.map { Int($0.baudRate) } ?? 0
    }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        guard let frame = UBXFrame(bytes.span) else { return [] }
        let id = frame.id
        if ignoresConfiguration, id.messageClass == 6 { return [] }
        let span = frame.payload
        let payload = span.indices.map { span[$0] }
        return reply(id, payload).map { (80, $0) }
    }

    private mutating func reply(_ id: UBXMessageID, _ payload: [UInt8]) -> [[UInt8]] {
        let refusal = acknowledgement(id, false)
        let acceptance = acknowledgement(id)
        switch id {
        case MonVER.id:
            var version = MonVER()
            (version.software, version.hardware) = ("ROM CORE 3.01 (107888)", "00080000")
            let texts = protocolVersion.map { ["FWVER=SPG 3.01", "PROTVER=\($0)"] } ?? []
            version.extensions = texts.map {
                var line = MonVER.Extension()
                line.text = $0
                return line
            }
            return [version.frame]
        case MonGNSS.id:
            return [UBXFrame.bytes(id, payload: [0, supported, 5, 1, simultaneous, 0, 0, 0])]
        case CfgMSG.id where payload.count == 2:
            let message = UBXMessageID(payload[0], payload[1])
            guard let interval = intervals[message] else { return [refusal] }
            var answer = CfgMSG(message, rate: 0)
            answer.rates = [0, interval, 0, 1, 0, 0]
            return [answer.frame, acceptance]
        case CfgMSG.id:
            intervals[UBXMessageID(payload[0], payload[1])] = payload[2]
            changes.append(id)
            return [acceptance]
        case CfgCFG.id:
            saves += 1
            return [acceptance]
        case _ where payload.isEmpty:
            guard let settings = settings[id] else { return id.messageClass == 6 ? [refusal] : [] }
            return [UBXFrame.bytes(id, payload: settings), acceptance]
        default:
            guard settings[id] != nil, id != CfgGNSS.id || !refusesConstellations else {
                return [refusal]
            }
            changes.append(id)
            settings[id] = payload
            return [acceptance]
        }
    }

    mutating func output(tenth: Int) -> [UInt8] {
        let period =
            settings[CfgRATE.id].flatMap { CfgRATE(payload: $0.span) }?.measurementPeriod ?? 1000
        guard tenth.isMultiple(of: Int(period) / 100) else { return [] }
        let time = 120_000 + Double(tenth % 600) / 10
        var bytes: [UInt8] = []
        if intervals[UBXMessageID(0xF0, 4)] == 1 { bytes += sentence("GNRMC,\(time),V") }
        if intervals[UBXMessageID(0xF0, 0)] == 1 { bytes += sentence("GNGGA,\(time),V") }
        if intervals[NavPVT.id] == 1 {
            let milliseconds = tenth * 100
            let start = (0..<4).map { UInt8(truncatingIfNeeded: milliseconds >> ($0 * 8)) }
            bytes += UBXFrame.bytes(NavPVT.id, payload: start + Array(repeating: 0, count: 88))
        }
        return bytes
    }
}
