// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The dialect of u-blox 5 to M8. Each group of settings has its own message, which is read,
/// changed and written back.
struct UBXLegacyDialect: UBXDialect {
    var state: ReceiverState
    private(set) var port: UBXPort?

    /// The payloads that were read, by message. Fields that gpsbridge does not know are written
    /// back unchanged.
    private(set) var payloads: [UBXMessageID: [UInt8]] = [:]
    /// The interval at which each message is sent on the connected port, as a number of fixes; 0 if
    /// the message is not sent.
    private(set) var intervals: [UBXMessageID: UInt8] = [:]
    /// The requested and the received messages that are not among `Self.messages`.
    private(set) var otherMessages: [UBXMessageID] = []
    /// The messages for which the chip did not answer a request: for the interval of the message,
    /// or for the group of settings that it contains.
    private(set) var unanswered: Set<UBXMessageID> = []
    /// The names of the messages that the chip sent before any change.
    private var sentMessages: Set<String> = []
    /// The messages in `otherMessages` that were not requested, but received. If the chip does not
    /// answer for one of them, it is left as it is.
    private var receivedMessages: Set<UBXMessageID> = []
    /// Whether the intervals of messages are read.
    private var readsMessages = false
    private var queue: [Exchange] = []
    /// The number of requests without an answer; `nil` after the first answer.
    private var unansweredCount: Int? = 0

    init(_ identity: ReceiverIdentity, line: ConfigurationLine) {
        state = ReceiverState(identity)
        if line.isNativeUSB { port = .usb }
    }

    /// The messages whose intervals are always read. A chip refuses the request for a message that
    /// it does not have.
    static let messages: [UBXMessageID] =
        [0x04, 0x05, 0x00, 0x02, 0x03, 0x01, 0x07, 0x08, 0x0D, 0x09, 0x06, 0x0A]
        .map { UBXMessageID(0xF0, $0) } + [
            UBXMessageID(0xF1, 0x00), NavPVT.id, NavSAT.id, NavDOP.id, NavEOE.id, NavSOL.id,
            NavPOSLLH.id, NavVELNED.id, NavSVINFO.id, NavSTATUS.id, NavTIMEUTC.id, NavTIMEGPS.id,
            NavCLOCK.id, MonHW.id,
            // gpsd enables these (NAV-POSECEF, NAV-VELECEF), and leaves them enabled.
            UBXMessageID(0x01, 0x01), UBXMessageID(0x01, 0x11),
        ]

    var largestBaudRate: Int { state.identity.leastProtocolVersion < 14 ? 115_200 : 921_600 }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        payloads = [:]
        intervals = [:]
        unanswered = []
        unansweredCount = 0
        // Some old chips lack some of these messages. A request for an unknown message may remain
        // unanswered.
        let groups = [CfgPRT.id, CfgRATE.id, CfgNAV5.id, CfgNMEA.id, CfgGNSS.id, CfgNAVX5.id]
        queue = groups.map { Exchange(UBXFrame.bytes($0, payload: [])) }
        queue.append(
            Exchange(UBXFrame.bytes(MonGNSS.id, payload: []), attempts: 1, isOptional: true))
        (otherMessages, receivedMessages) = ([], [])
        if case .list(let list)? = request.configuration.messages {
            otherMessages = list.keys.sorted().compactMap(UBXMessageNames.id)
                .filter { !Self.messages.contains($0) }
        }
        readsMessages = request.needsMessages
        if readsMessages {
            queue += (Self.messages + otherMessages).map { Exchange(CfgMSG.poll($0)) }
            requestSentMessages()
        }
        state.ports = []
        if request.readsStoredValues {
            queue += UBXPort.all.map {
                Exchange(CfgPRT.poll($0), attempts: 1, timeout: .seconds(1), isOptional: true)
            }
        }
    }

    mutating func beginRereading(_ steps: [ConfigurationStep], line: ConfigurationLine) {
        queue = []
        for step in steps {
            guard let (id, payload) = step.command.ubxMessage else { continue }
            if id == CfgMSG.id, let message = CfgMSG(payload: payload.span)?.message {
                intervals[message] = nil
                queue.append(Exchange(CfgMSG.poll(message)))
            } else {
                payloads[id] = nil
                queue.append(Exchange(UBXFrame.bytes(id, payload: [])))
            }
        }
    }

    mutating func observe(_ messages: [String]) {
        sentMessages = Set(messages)
        if readsMessages, unansweredCount == nil { requestSentMessages() }
    }

    /// Adds requests for the intervals of the messages that the chip sent although they are not
    /// among those that are read anyway.
    private mutating func requestSentMessages() {
        let known = Self.messages + otherMessages
        let others = sentMessages.sorted().compactMap(UBXMessageNames.id)
            .filter { !known.contains($0) }
        otherMessages += others
        receivedMessages.formUnion(others)
        queue += others.map { Exchange(CfgMSG.poll($0)) }
    }

    var lacksMessages: Bool {
        (Self.messages + otherMessages).contains {
            unanswered.contains($0) && !receivedMessages.contains($0)
        }
    }

    /// The name of a message that the chip sent although its interval is not known, because the
    /// chip did not answer the request for it; `nil` if there is none.
    var sentMessageWithoutInterval: String? {
        unanswered.subtracting(receivedMessages).compactMap(UBXMessageNames.name)
            .filter(sentMessages.contains).min()
    }

    mutating func nextRead() -> Exchange? {
        guard !queue.isEmpty else {
            state.port = port?.name
            state.configuration = configuration
            readConstellations()
            return nil
        }
        return queue.removeFirst()
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        if outcome == .silent, let (id, payload) = exchange.bytes.ubxMessage {
            let message = id == CfgMSG.id ? CfgMSG(payload: payload.span)?.message : nil
            unanswered.insert(message ?? id)
        }
        if outcome == .silent, let count = unansweredCount {
            unansweredCount = count + 1
            // A clone that ignores the first three requests ignores all of them.
            if count == 2 { queue = [] }
        } else if outcome != .silent {
            unansweredCount = nil
        }
        guard case .accepted(let messages) = outcome,
            case .ubx(let id, let payload)? = messages.last
        else { return }
        if id == CfgMSG.id {
            guard let message = CfgMSG(payload: payload.span) else { return }
            let index = message.rates.count == 1 ? 0 : Int(port?.rawValue ?? 1)
            if message.rates.indices.contains(index) {
                intervals[message.message] = message.rates[index]
            }
        } else if exchange.bytes.ubxMessage?.payload.count == 1,
            let port = CfgPRT(payload: payload.span)
        {
            state.ports.append(ReceiverState.Port(port))
        } else {
            payloads[id] = payload
            if id == CfgPRT.id { port = CfgPRT(payload: payload.span)?.port }
        }
    }

    /// Returns a group of settings as it was read; `nil` if the chip did not answer.
    func read<Message: UBXMessage>(_ type: Message.Type) -> Message? {
        payloads[Message.id].flatMap { Message(payload: $0.span) }
    }

    /// Determines which constellations the chip can receive: those in CFG-GNSS. If the chip
    /// answered MON-GNSS, they must be in that message, too.
    private mutating func readConstellations() {
        let limits = read(MonGNSS.self)
        let supported = read(CfgGNSS.self).map { settings in
            settings.blocks.compactMap(\.constellation)
                .filter { limits?.supported.contains($0) ?? true }
        }
        state.supportedConstellations = supported.map { Set($0) }
        // Generation 7 has no MON-GNSS and receives one constellation at a time.
        let isM8 = state.identity.leastProtocolVersion >= 15
        let limit = limits.map { Int($0.simultaneous) } ?? (isM8 ? 3 : 1)
        state.maximumConstellations = limit == 0 ? nil : limit
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
                gnss.blocks.filter(\.isEnabled).compactMap(\.constellation))
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

    /// Returns the highest number of fixes per second that this generation of chips supports with
    /// the given constellations. `nil` means the current ones.
    func largestRate(with constellations: Set<Constellation>?) -> Double {
        switch state.identity.model {
        case "4", "5": 4
        case "6": 5
        case "7": 10
        default:
            (constellations ?? state.configuration.constellations)?
                .subtracting([.sbas, .qzss]).count == 1 ? 18 : 10
        }
    }
}

extension MonGNSS.Constellations {
    /// Whether the set contains a constellation. MON-GNSS has no bits for SBAS, QZSS and NavIC,
    /// which always count as contained.
    fileprivate func contains(_ constellation: Constellation) -> Bool {
        switch constellation {
        case .gps: hasGPS
        case .glonass: hasGLONASS
        case .beiDou: hasBeiDou
        case .galileo: hasGalileo
        case .sbas, .qzss, .navIC: true
        }
    }
}

extension ReceiverState.Port {
    fileprivate init(_ settings: CfgPRT) {
        let protocols: [(ConfigurationKey.PortProtocol, UBXProtocols)] = [
            (.ubx, .ubx), (.nmea, .nmea), (.rtcm2, .rtcm2), (.rtcm3, .rtcm3),
        ]
        name = settings.port.name
        baudRate = settings.port.isUART ? Int(settings.baudRate) : nil
        input = protocols.filter { settings.input.contains($0.1) }.map { "\($0.0)" }
        output = protocols.filter { settings.output.contains($0.1) }.map { "\($0.0)" }
    }
}
