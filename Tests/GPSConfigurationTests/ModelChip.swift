// SPDX-License-Identifier: MIT
import GPSConfiguration
import UBX

/// A simple model of a chip for tests of the client: it answers requests.
protocol ModelChip {
    /// The baud rate of the chip's line.
    var baudRate: Int { get }
    /// Handles a request. Returns the answers with their delays in milliseconds.
    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])]
    /// Returns the bytes that the chip sends without a request in the next tenth of a second.
    mutating func output(tenth: Int) -> [UInt8]
}

/// A chip with other answers, or other output.
struct AlteredChip<Chip: ModelChip>: ModelChip {
    var chip: Chip
    private let answer: (inout Chip, [UInt8]) -> [(delay: Int, bytes: [UInt8])]
    private let send: (inout Chip, Int) -> [UInt8]

    init(
        _ chip: Chip, output: @escaping (inout Chip, Int) -> [UInt8] = { $0.output(tenth: $1) },
        answers: @escaping (inout Chip, [UInt8]) -> [(delay: Int, bytes: [UInt8])]
    ) {
        (self.chip, send, answer) = (chip, output, answers)
    }

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        answer(&chip, bytes)
    }

    mutating func output(tenth: Int) -> [UInt8] { send(&chip, tenth) }
}

/// Returns the answer of a u-blox chip to a request that it accepts or refuses.
func acknowledgement(_ id: UBXMessageID, _ isAccepted: Bool = true) -> [UInt8] {
    UBXFrame.bytes(isAccepted ? AckACK.id : AckNAK.id, payload: [id.messageClass, id.number])
}

/// A u-blox chip with the configuration database.
struct DatabaseChip: ModelChip {
    var values: [ConfigurationKey: UInt64]
    var saved: [ConfigurationKey: UInt64] = [:]
    /// The factory values; `nil` if they equal the values in effect.
    var defaults: [ConfigurationKey: UInt64]?
    let port: UBXPort
    var hasFlash = true
    /// Whether MON-VER contains the version of the protocol and more lines.
    var hasExtensions = true
    /// The numbers, from 0, of requests whose answer is lost.
    var lost: Set<Int> = []
    /// The delays of late answers in milliseconds, by the number of the request.
    var late: [Int: Int] = [:]
    /// Whether the navigation output stops permanently after a request that changes signals.
    var isSilencedBySignals = false
    var answersPorts = true
    /// The number of sentences with the satellites in view.
    var satelliteSentences = 1
    var answersValues = true
    /// The answer to another program, between the answer to each CFG-VALGET and its acknowledgement.
    var otherAnswer: [UInt8]?
    var refusesReset = false
    var refusesRates = false
    /// The keys that the chip sets but does not report.
    var unreadable: Set<ConfigurationKey> = []
    private var requestCount = 0
    private var received: UInt32 = 0
    private var time = 0
    private(set) var requests: [UBXMessageID] = []

    init(port: UBXPort = .uart1, baudRate: Int = 38400) {
        self.port = port
        values = [
            .measurementPeriod: 1000, .navigationRatio: 1, .timeReference: 1, .dynamicModel: 0,
            .minimumElevation: 5, .nmeaVersion: 42, .staticHoldSpeed: 0,
        ]
        for port in [UBXPort.uart1, .uart2, .usb] {
            for output in MessageOutput.all where !output.name.hasSuffix("SBAS") {
                values[output.key(on: port)] = 0
            }
            for name in ["RMC", "GGA", "GSA", "GSV", "VTG"] {
                let output = MessageOutput.all.first { $0.name == "NMEA_ID_\(name)" }
                if let output { values[output.key(on: port)] = 1 }
            }
            if let key = ConfigurationKey.baudRate(of: port) { values[key] = UInt64(baudRate) }
            for kind in [ConfigurationKey.PortProtocol.ubx, .nmea] {
                values[.input(kind, on: port)] = 1
                values[.output(kind, on: port)] = 1
            }
        }
        for signal in SignalKey.constellations + SignalKey.signals
        where [0, 1, 2, 3, 5, 6].contains(signal.gnssID) && !signal.name.contains("L5") {
            values[signal.key] = 1
        }
    }

    var baudRate: Int {
        ConfigurationKey.baudRate(of: port).flatMap { values[$0] }.map { Int($0) } ?? 0
    }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        received += UInt32(bytes.count)
        guard let frame = UBXFrame(bytes.span) else { return [] }
        let id = frame.id
        let payload = frame.payload
        let data = payload.indices.map { payload[$0] }
        requests.append(id)
        defer { requestCount += 1 }
        let replies = reply(id, data)
        let delay = late[requestCount] ?? 20
        return lost.contains(requestCount) ? [] : replies.map { (delay, $0) }
    }

    private mutating func reply(_ id: UBXMessageID, _ payload: [UInt8]) -> [[UInt8]] {
        switch id {
        case MonVER.id:
            var version = MonVER()
            version.software = hasFlash ? "EXT CORE 1.00 (e9a716)" : "ROM SPG 5.10 (7b202e)"
            version.hardware = hasFlash ? "00190000" : "000A0000"
            let extensions =
                hasFlash ? ["FWVER=HPG 1.51", "PROTVER=27.50", "MOD=ZED-F9P"] : ["PROTVER=34.10"]
            for text in hasExtensions ? extensions : [] {
                var line = MonVER.Extension()
                line.text = text
                version.extensions.append(line)
            }
            return [version.frame]
        case CfgPRT.id:
            guard answersPorts else { return [] }
            var settings = CfgPRT()
            settings.port = port
            return [settings.frame, acknowledgement(id, true)]
        case MonCOMMS.id:
            var message = MonCOMMS()
            message.ports = [UBXPort.uart1, .uart2, .usb].map { number in
                var port = MonCOMMS.Port()
                port.number = UInt16(number.rawValue) << 8
                port.bytesIn = number == self.port ? received : 7
                return port
            }
            return [message.frame]
        case CfgVALGET.id: return answersValues ? get(payload) : []
        case CfgVALSET.id: return [acknowledgement(id, set(payload))]
        case CfgCFG.id where refusesReset: return [acknowledgement(id, false)]
        case CfgCFG.id where CfgCFG(payload: payload.span)?.save == .all:
            saved = values
            return [acknowledgement(id)]
        case CfgCFG.id:
            values = DatabaseChip(port: port, baudRate: 9600).values
            return []
        default: return id.messageClass == 6 && id != CfgRST.id ? [acknowledgement(id, false)] : []
        }
    }

    private func get(_ payload: [UInt8]) -> [[UInt8]] {
        guard let request = CfgVALGET(payload: payload.span), let keys = request.keys else {
            return []
        }
        let layer =
            switch request.layer {
            case .ram: values
            case .defaults: defaults ?? values
            default: saved
            }
        var items: [ConfigurationItem] = []
        for key in keys {
            if key.item == 0xFFF {
                items += layer.filter { $0.key.group == key.group }
                    .map { ConfigurationItem($0.key, $0.value) }
                    .sorted { $0.key.rawValue < $1.key.rawValue }
            } else if let value = layer[key], !unreadable.contains(key) {
                items.append(ConfigurationItem(key, value))
            } else {
                return [acknowledgement(CfgVALGET.id, false)]
            }
        }
        var answer = CfgVALGET()
        (answer.version, answer.layer, answer.position) = (1, request.layer, request.position)
        answer.data = items.dropFirst(Int(request.position)).prefix(64).flatMap(\.bytes)
        return [answer.frame] + (otherAnswer.map { [$0] } ?? [])
            + [acknowledgement(CfgVALGET.id, true)]
    }

    private mutating func set(_ payload: [UInt8]) -> Bool {
        guard let request = CfgVALSET(payload: payload.span), let items = request.items,
            items.count <= 64, items.allSatisfy({ values[$0.key] != nil }),
            hasFlash || !request.layers.contains(.flash),
            !refusesRates || !items.contains(where: { $0.key.group == 0x52 })
        else { return false }
        for item in items {
            if request.layers.contains(.ram) { values[item.key] = item.value }
            if request.layers.rawValue > 1 { saved[item.key] = item.value }
        }
        return true
    }

    mutating func output(tenth: Int) -> [UInt8] {
        if isSilencedBySignals, values[SignalKey.constellations[0].key] == 0 { return [] }
        let period = Int(values[.measurementPeriod] ?? 1000)
        var bytes: [UInt8] = []
        while time < tenth * 100 {
            time += period
            let seconds = time / 1000 % 60
            let text = "1200\(seconds < 10 ? "0" : "")\(seconds).\(time % 1000 / 10 + 100)"
                .replacing(".1", with: ".", maxReplacements: 1)
            for output in MessageOutput.all where (values[output.key(on: port)] ?? 0) > 0 {
                if output.isSentence {
                    guard values[.output(.nmea, on: port)] == 1 else { continue }
                    let count = output.name.hasSuffix("GSV") ? satelliteSentences : 1
                    for _ in 0..<count {
                        bytes += sentence("GN\(output.name.suffix(3)),\(text),V")
                    }
                } else if output.id == NavPVT.id || output.id == NavEOE.id {
                    let payload = (0..<4).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) }
                    bytes += UBXFrame.bytes(
                        output.id, payload: payload + Array(repeating: 0, count: 88))
                }
            }
        }
        return bytes
    }
}

/// A sentence with its checksum.
func sentence(_ body: String) -> [UInt8] {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return Array("$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
}

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
        // The module applies a new rate only after a restart.
        if request.hasPrefix("$PQTMCFGFIXRATE,W,"), let value { fixPeriod = value }
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
