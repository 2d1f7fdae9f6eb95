// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// u-blox 5 to M8: a message for each group of settings, which is read, changed and written.
struct UBXLegacyDialect: UBXDialect {
    var state: ReceiverState
    private(set) var port: UBXPort?

    /// The payloads that were read. Fields without a meaning here are written back unchanged.
    private(set) var payloads: [UBXMessageID: [UInt8]] = [:]
    /// How often messages are sent on our port.
    private(set) var intervals: [UBXMessageID: UInt8] = [:]
    private var queue: [Exchange] = []

    init(_ identity: ReceiverIdentity, line: ConfigurationLine) {
        state = ReceiverState(identity)
        if line.isNativeUSB { port = .usb }
    }

    /// The messages whose intervals are read; old chips refuse those that they do not have.
    static let messages: [UBXMessageID] =
        [0x04, 0x05, 0x00, 0x02, 0x03, 0x01, 0x07, 0x08, 0x0D, 0x09, 0x06, 0x0A]
        .map { UBXMessageID(0xF0, $0) } + [
            UBXMessageID(0xF1, 0x00), NavPVT.id, NavSAT.id, NavDOP.id, NavEOE.id, NavSOL.id,
            NavPOSLLH.id, NavVELNED.id, NavSVINFO.id, NavSTATUS.id, NavTIMEUTC.id, NavTIMEGPS.id,
            NavCLOCK.id, MonHW.id,
        ]

    var largestBaudRate: Int { (state.identity.protocolVersion ?? 0) < 14 ? 115_200 : 921_600 }

    mutating func beginReading(storedValues: Bool, line: ConfigurationLine) {
        payloads = [:]
        intervals = [:]
        // Not every old chip has each of them, and one that it does not have may stay unanswered.
        let groups = [CfgPRT.id, CfgRATE.id, CfgNAV5.id, CfgNMEA.id, CfgGNSS.id, CfgNAVX5.id]
        queue = groups.map { Exchange(UBXFrame.bytes($0, payload: [])) }
        queue.append(Exchange(UBXFrame.bytes(MonGNSS.id, payload: []), attempts: 1))
        queue += Self.messages.map { Exchange(CfgMSG.poll($0)) }
    }

    mutating func nextRead() -> Exchange? {
        guard !queue.isEmpty else {
            state.port = port?.name
            state.configuration = configuration
            return nil
        }
        return queue.removeFirst()
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        guard case .accepted(let messages) = outcome,
            case .ubx(let id, let payload)? = messages.last
        else { return }
        if id == CfgMSG.id {
            guard let message = CfgMSG(payload: payload.span) else { return }
            let index = message.rates.count == 1 ? 0 : Int(port?.rawValue ?? 1)
            if message.rates.indices.contains(index) {
                intervals[message.message] = message.rates[index]
            }
        } else {
            payloads[id] = payload
            if id == CfgPRT.id { port = CfgPRT(payload: payload.span)?.port }
        }
    }

    /// A group of settings as it was read.
    func read<Message: UBXMessage>(_ type: Message.Type) -> Message? {
        payloads[Message.id].flatMap { Message(payload: $0.span) }
    }

    private var configuration: ReceiverConfiguration {
        var configuration = ReceiverConfiguration()
        if let rate = read(CfgRATE.self), rate.measurementPeriod > 0 {
            configuration.rate =
                1000 / (Double(rate.measurementPeriod) * Double(max(rate.navigationRatio, 1)))
        }
        if let settings = read(CfgPRT.self) {
            if settings.port.isUART { configuration.baudRate = Int(settings.baudRate) }
            if !intervals.isEmpty {
                let sent = intervals.filter { id, interval in
                    interval > 0
                        && settings.output.contains(id.messageClass >= 0xF0 ? .nmea : .ubx)
                }
                configuration.messages = .list(
                    Dictionary(
                        sent.compactMap { id, interval in
                            UBXMessageNames.name(id).map { ($0, Int(interval)) }
                        }, uniquingKeysWith: { $1 }))
            }
        }
        if let gnss = read(CfgGNSS.self) {
            configuration.constellations = Set(
                gnss.blocks.filter(\.isEnabled)
                    .compactMap { Constellation(gnssID: Int($0.gnssID)) })
        }
        if let navigation = read(CfgNAV5.self) {
            configuration.dynamics = DynamicModel(rawValue: navigation.dynamicModel)
            configuration.minimumElevation = Int(navigation.minimumElevation)
            configuration.staticHoldSpeed = Double(navigation.staticHoldSpeed) / 100
        }
        if let nmea = read(CfgNMEA.self) {
            configuration.nmeaVersion =
                Self.nmeaVersions.first { $0.value == nmea.nmeaVersion }?.key
        }
        if let expert = read(CfgNAVX5.self) {
            configuration.autonomousAssistance = expert.autonomousAssistance & 1 == 1
        }
        return configuration
    }

    static let nmeaVersions: [NMEAVersion: UInt8] = [
        .v2_1: 0x21, .v2_3: 0x23, .v4_0: 0x40, .v4_10: 0x41, .v4_11: 0x4B,
    ]

    /// The highest rate of the generation.
    var largestRate: Double {
        switch state.identity.model {
        case "4", "5": 4
        case "6": 5
        case "7": 10
        default:
            state.configuration.constellations?.subtracting([.sbas, .qzss]).count == 1 ? 18 : 10
        }
    }
}
