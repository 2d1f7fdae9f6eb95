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
    private var payloads: [UBXMessageID: [UInt8]] = [:]
    /// The interval at which each message is sent on the connected port, as a number of fixes; 0 if
    /// the message is not sent.
    private var intervals: [UBXMessageID: UInt8] = [:]
    /// The requested and the received messages that are not among `Self.messages`.
    private var otherMessages: [UBXMessageID] = []
    /// The messages for which the chip did not answer a request: for the interval of the message,
    /// or for the group of settings that it contains.
    private var unanswered: Set<UBXMessageID> = []
    /// The names of the messages that the chip sent before any change.
    private var sentMessages: Set<String> = []
    /// The messages in `otherMessages` that were not requested, but received. If the chip does not
    /// answer for one of them, it is left as it is.
    private var receivedMessages: Set<UBXMessageID> = []
    /// Whether the intervals of messages are read.
    private var readsMessages = false
    /// Whether the state contains whether the port accepts RTCM 3.
    private var readsRTCMInput = false
    private var readsAuthentication = false
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
        readsAuthentication = request.configuration.galileoAuthentication != nil
        if readsAuthentication {
            otherMessages += signatureMessages.compactMap(UBXMessageNames.id)
                .filter { !(Self.messages + otherMessages).contains($0) }
        }
        readsMessages = request.needsMessages
        readsRTCMInput = request.configuration.rtcmInput != nil
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
    private var sentMessageWithoutInterval: String? {
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

    /// The values of the fields that were read, by the keys of later chips.
    var values: [ConfigurationKey: UInt64] {
        let items = [
            read(CfgRATE.self)?.allItems, read(CfgNAV5.self)?.allItems,
            read(CfgNMEA.self)?.allItems, read(CfgNAVX5.self)?.allItems,
        ].compactMap { $0 }.joined()
        return Dictionary(items.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    private var configuration: ReceiverConfiguration {
        var configuration = commonConfiguration(of: values)
        if let settings = read(CfgPRT.self) {
            if settings.port.isUART { configuration.baudRate = Int(settings.baudRate) }
            if readsRTCMInput { configuration.rtcmInput = settings.input.contains(.rtcm3) }
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
        if readsAuthentication {
            configuration.galileoAuthentication = sendsSignatures(configuration)
        }
        return configuration
    }

    /// Only chips from the M8 on receive Galileo.
    var signatureMessages: [String] {
        state.identity.leastProtocolVersion < 18 ? [] : Self.signatureMessages
    }

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
    func contains(_ constellation: Constellation) -> Bool {
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
        input = protocols.filter { settings.input.contains($0.1) }.map(\.0.label)
        output = protocols.filter { settings.output.contains($0.1) }.map(\.0.label)
    }
}

extension UBXLegacyDialect {
    func steps(
        to requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        var steps: [ConfigurationStep] = []
        if requested.baudRate != nil || requested.messages != nil || requested.rtcmInput != nil {
            steps += try portSteps(requested)
        }
        if let messages = requested.messages { steps += try messageSteps(messages) }
        if let constellations = requested.constellations {
            steps += try constellationSteps(constellations)
        }
        // The masks limit these messages to the fields that change.
        return try steps
            + step(
                "navigation", CfgNAV5.self, "the navigation",
                items(of: requested, [.dynamicModel, .minimumElevation, .staticHoldSpeed]))
            + step(
                "NMEA version", CfgNMEA.self, "the version of NMEA",
                items(of: requested, [.nmeaVersion]))
            + step(
                "autonomous assistance", CfgNAVX5.self, "autonomous assistance",
                items(of: requested, [.autonomousAssistance]))
            + step("rate", CfgRATE.self, "the rate", rateItems(of: requested))
    }

    /// Returns the step that sets fields of a message; empty if the fields have these values.
    private func step<Message: KeyedMessage>(
        _ title: String, _ type: Message.Type, _ setting: String, _ items: [ConfigurationItem]
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        guard !items.isEmpty else { return [] }
        var before = try settings(type, setting)
        let different = items.filter { !before.allItems.contains($0) }
        guard !different.isEmpty else { return [] }
        before.select(different.map(\.key))
        var after = before
        after.set { key in different.first { $0.key == key }?.value }
        return [ConfigurationStep(title: title, command: after.frame, undo: before.frame)]
    }

    private func settings<Message: UBXMessage>(
        _ type: Message.Type, _ setting: String
    ) throws(ConfigurationError) -> Message {
        guard let settings = read(type) else {
            throw error(
                .unsupported,
                "cannot set \(setting): its firmware does not answer \(Message.id.name ?? "")",
                remedy: unanswered.contains(Message.id)
                    ? "try again, perhaps with fewer messages on the line" : nil)
        }
        return settings
    }

    /// Returns the step that writes a group of settings; empty if they equal the settings that were
    /// read.
    private func step<Message: UBXMessage>(
        _ title: String, _ settings: Message, refusal: String? = nil,
        settling: Duration = .zero
    ) -> [ConfigurationStep] {
        let before = read(Message.self)
        guard settings != before else { return [] }
        return [
            ConfigurationStep(
                title: title, command: settings.frame, undo: before?.frame, settling: settling,
                refusal: refusal)
        ]
    }

    /// Returns the step for the port. The baud rate and the protocols are in the same message
    /// (CFG-PRT), so one step sets both.
    private func portSteps(
        _ requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        var settings = try settings(CfgPRT.self, "the port")
        if let baudRate = requested.baudRate {
            guard settings.port.isUART else {
                throw error(.unsupported, "its port \(settings.port.name) has no baud rate")
            }
            settings.baudRate = UInt32(clamping: baudRate)
        }
        if let messages = requested.messages {
            let names = try self.messages(of: messages).keys
            // Answers to requests are UBX, so UBX stays enabled.
            settings.output.insert(.ubx)
            if names.contains(where: { UBXMessageNames.id($0)?.messageClass ?? 0 >= 0xF0 }) {
                settings.output.insert(.nmea)
            }
        }
        switch requested.rtcmInput {
        case true?: settings.input.insert(.rtcm3)
        case false?: settings.input.remove(.rtcm3)
        case nil: break
        }
        let setsRate = settings.baudRate != read(CfgPRT.self)?.baudRate
        let title = requested.messages == nil ? "RTCM input" : "messages"
        return step(setsRate ? "baud rate" : title, settings).map {
            var step = $0
            if setsRate { step.baudRate = Int(settings.baudRate) }
            return step
        }
    }

    private func messageSteps(
        _ selection: MessageSelection
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        let wanted = try messages(of: selection)
        func noAnswer(_ name: String) -> ConfigurationError {
            error(
                .noAnswer, "did not answer the request for the message \(name)",
                remedy: "try again, perhaps with fewer messages on the line")
        }
        for name in wanted.keys {
            let id = try messageID(name)
            guard intervals[id] != nil else {
                throw unanswered.contains(id)
                    ? noAnswer(name) : error(.unsupported, "has no message \(name)")
            }
        }
        // The interval of a message that is to be switched off may be unknown.
        if let name = sentMessageWithoutInterval { throw noAnswer(name) }
        var steps: [ConfigurationStep] = []
        for id in Self.messages + otherMessages {
            guard let interval = intervals[id], let name = UBXMessageNames.name(id) else {
                continue
            }
            let new = UInt8(clamping: wanted[name] ?? 0)
            guard new != interval else { continue }
            steps.append(
                ConfigurationStep(
                    title: "messages", command: CfgMSG(id, rate: new).frame,
                    undo: CfgMSG(id, rate: interval).frame))
        }
        return steps
    }

    private func constellationSteps(
        _ constellations: Set<Constellation>
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        var settings = try settings(CfgGNSS.self, "constellations")
        for constellation in constellations
        where state.supportedConstellations?.contains(constellation) != true {
            throw error(
                .unsupported, "cannot receive \(constellation.name)",
                remedy: "the chip or its firmware lacks it; leave it out")
        }
        let major = constellations.intersection(ConstellationPlan.global)
        let limit = state.maximumConstellations ?? major.count
        guard major.count <= limit else {
            throw error(
                .unsupported,
                "can receive \(limit) of these constellations at once, not \(major.count)",
                remedy: "leave some of them out")
        }
        let enabled = withQZSS(constellations)
        for index in settings.blocks.indices {
            let id = Int(settings.blocks[index].gnssID)
            settings.blocks[index].isEnabled = enabled.contains { $0.gnssID == id }
        }
        // An M8 receives two frequency bands at once. GPS and Galileo share one band; GLONASS and
        // BeiDou each have their own.
        let needsThreeBands =
            constellations.isSuperset(of: [.glonass, .beiDou])
            && !constellations.isDisjoint(with: [.gps, .galileo])
        return step(
            "constellations", settings,
            refusal: needsThreeBands
                ? "it cannot receive GLONASS and BeiDou together with GPS or Galileo"
                : "it does not allow this combination",
            settling: .milliseconds(500))
    }

    func restoration() -> [ConfigurationJournal.Undo] {
        var undo = intervals.sorted {
            ($0.key.messageClass, $0.key.number) < ($1.key.messageClass, $1.key.number)
        }
        .map { ConfigurationJournal.Undo(bytes: CfgMSG($0.key, rate: $0.value).frame) }
        for id in [CfgRATE.id, CfgNMEA.id, CfgGNSS.id] {
            if let payload = payloads[id] {
                undo.append(.init(bytes: UBXFrame.bytes(id, payload: payload)))
            }
        }
        if var navigation = read(CfgNAV5.self) {
            navigation.mask = .init(rawValue: 0x5FF)
            undo.append(.init(bytes: navigation.frame))
        }
        if var expert = read(CfgNAVX5.self) {
            expert.select([.autonomousAssistance])
            undo.append(.init(bytes: expert.frame))
        }
        if let port = read(CfgPRT.self) {
            let baudRate = port.port.isUART ? Int(port.baudRate) : nil
            undo.append(.init(bytes: port.frame, baudRate: baudRate))
        }
        return undo
    }

    func savings(of request: ConfigurationRequest) -> [ConfigurationSaving] { [savingOfEverything] }
}

/// The common part of the two dialects for u-blox chips.
protocol UBXDialect: Dialect {
    /// The values that are in effect, by their keys.
    var values: [ConfigurationKey: UInt64] { get }

    /// Returns the highest number of fixes per second that this generation of chips supports with
    /// the given constellations. `nil` means the current ones.
    func largestRate(with constellations: Set<Constellation>?) -> Double
}

private let nmeaVersions: [NMEAVersion: UInt64] = [
    .v2_1: 21, .v2_3: 23, .v4_0: 40, .v4_10: 41, .v4_11: 42,
]

extension UBXDialect {
    /// Returns the settings that are in keys of both generations.
    func commonConfiguration(of values: [ConfigurationKey: UInt64]) -> ReceiverConfiguration {
        var configuration = ReceiverConfiguration()
        if let period = values[.measurementPeriod], period > 0 {
            let ratio = max(values[.navigationRatio] ?? 1, 1)
            configuration.rate = 1000 / Double(period * ratio)
        }
        configuration.dynamics = values[.dynamicModel].flatMap {
            DynamicModel(rawValue: UInt8(truncatingIfNeeded: $0))
        }
        configuration.minimumElevation = values[.minimumElevation].map {
            Int(ConfigurationItem(.minimumElevation, $0).signedValue)
        }
        configuration.nmeaVersion = values[.nmeaVersion].flatMap { number in
            nmeaVersions.first { $0.value == number }?.key
        }
        configuration.staticHoldSpeed = values[.staticHoldSpeed].map { Double($0) / 100 }
        configuration.autonomousAssistance = values[.autonomousAssistance].map { $0 == 1 }
        return configuration
    }

    static var signatureMessages: [String] {
        [NavTIMEGAL.id, RxmSFRBX.id].compactMap(UBXMessageNames.name)
    }

    /// Returns whether the receiver uses Galileo and sends the messages that a check of its signatures
    /// needs; `nil` if its messages are not known.
    func sendsSignatures(_ configuration: ReceiverConfiguration) -> Bool? {
        guard case .list(let list)? = configuration.messages else { return nil }
        return Self.signatureMessages.allSatisfy { list[$0] == 1 }
            && list.keys.contains(where: ConfigurationRequest.satelliteLists.contains)
            && configuration.constellations?.contains(.galileo) != false
    }

    /// Returns the items for requested settings, except the rate, that have one of these keys.
    func items(
        of requested: ReceiverConfiguration, _ keys: [ConfigurationKey]
    ) -> [ConfigurationItem] {
        let elevation = requested.minimumElevation.map { UInt8(bitPattern: Int8(clamping: $0)) }
        let values: [ConfigurationKey: UInt64?] = [
            .dynamicModel: requested.dynamics.map { UInt64($0.rawValue) },
            .minimumElevation: elevation.map { UInt64($0) },
            .nmeaVersion: requested.nmeaVersion.flatMap { nmeaVersions[$0] },
            .staticHoldSpeed: requested.staticHoldSpeed.map { UInt64(($0 * 100).rounded()) },
            .autonomousAssistance: requested.autonomousAssistance.map { $0 ? 1 : 0 },
        ]
        return keys.compactMap { key in
            (values[key] ?? nil).map { ConfigurationItem(key, $0) }
        }
    }

    /// Returns the items for the requested rate.
    func rateItems(
        of requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationItem] {
        guard let rate = requested.rate else { return [] }
        // The lowest rate is limited by the period in milliseconds, which has 16 bits.
        let allowed = 0.016...largestRate(with: requested.constellations)
        guard allowed.contains(rate) else { throw impossible(rate: rate, among: allowed) }
        let period = UInt64((1000 / rate).rounded())
        let (measurement, ratio) = (
            values[.measurementPeriod] ?? 0, values[.navigationRatio] ?? 1
        )
        // A chip may already have this rate by using every second measurement, for example.
        let isSet = measurement * ratio == period
        return [
            ConfigurationItem(.measurementPeriod, isSet ? measurement : period),
            ConfigurationItem(.navigationRatio, isSet ? ratio : 1),
        ]
    }

    var probe: Exchange { .probe(IdentityDetector.firstQuestion) }

    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int] {
        let version = state.identity.leastProtocolVersion
        let sentences = ["RMC", "GGA", "GSA", "GSV", "VTG"]
        var frames = ["NAV-PVT", "NAV-SAT", "NAV-DOP", "NAV-EOE"]
        // NAV-SVINFO cannot number all satellites that an M8 receives.
        if version < 18 {
            frames = ["NAV-PVT", version < 15 ? "NAV-SVINFO" : "NAV-SAT", "NAV-DOP"]
        }
        if version < 14 {
            frames = [
                "NAV-SOL", "NAV-POSLLH", "NAV-VELNED", "NAV-TIMEUTC", "NAV-SVINFO", "NAV-DOP",
            ]
        }
        let names: [String]
        switch selection {
        case .nmea: names = sentences
        case .ubx: names = frames
        case .both: names = sentences + frames
        case .list(let list): return list
        }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        var message = CfgRST()
        message.clearedData = restart == .hot ? 0 : restart == .warm ? 1 : 0xFFFF
        // Other modes also restart the USB interface, so that the tty disappears.
        message.mode = .gnssOnly
        return Exchange(message.frame, attempts: 1, settling: .milliseconds(500))
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        [Exchange(CfgCFG.factoryReset.frame, attempts: 1, settling: .seconds(1))]
    }

    /// Returns the constellations to enable. QZSS is enabled together with GPS, because they share
    /// signals, unless the chip already has exactly the requested constellations.
    func withQZSS(_ requested: Set<Constellation>) -> Set<Constellation> {
        requested.contains(.gps) && requested != state.configuration.constellations
            ? requested.union([.qzss]) : requested
    }

    /// Returns the ID of the message with a name such as `RMC` or `NAV-PVT`.
    func messageID(_ name: String) throws(ConfigurationError) -> UBXMessageID {
        guard let id = UBXMessageNames.id(name) else {
            throw error(
                .unsupported, "has no message '\(name)' that gpsbridge knows",
                remedy: "use names such as RMC, GGA or NAV-PVT")
        }
        return id
    }

    /// The request that saves all settings in effect, in every memory of the module.
    var savingOfEverything: ConfigurationSaving {
        let saved: ConfigurationResult.Saved =
            switch state.identity.hasFlash {
            case true?: savedExplanation(.flash)
            case false?: savedExplanation(.battery)
            case nil:
                .init(
                    storage: .battery,
                    explanation: "saved in battery-backed memory, and in flash or EEPROM if the "
                        + "module has one")
            }
        return ConfigurationSaving(requests: [CfgCFG.saveAll.frame], saved: saved)
    }

    /// Describes where settings were saved, and for how long. A module whose firmware is in ROM has
    /// no flash.
    func savedExplanation(_ storage: ReceiverState.Storage) -> ConfigurationResult.Saved {
        .init(
            storage: storage,
            explanation: storage == .flash
                ? "saved in flash and in battery-backed memory, permanently"
                : "saved in battery-backed memory, as the module has no flash: lasts only as long "
                    + "as the backup battery or supply")
    }
}

/// The names of u-blox messages in options and files.
enum UBXMessageNames {
    /// Messages that have no configuration keys, and thus no `MessageOutput`. Most of them exist
    /// only in old chips.
    private static let legacyNames: [String: UBXMessageID] = [
        "NAV-SOL": NavSOL.id, "NAV-SVINFO": NavSVINFO.id, "THS": UBXMessageID(0xF0, 0x0E),
    ]

    static func name(_ output: MessageOutput) -> String {
        switch output.id.messageClass {
        case 0xF0: String(output.name.dropFirst("NMEA_ID_".count))
        case 0xF1: "PUBX0\(output.id.number)"
        default: output.name.dropFirst("UBX_".count).split(separator: "_").joined(separator: "-")
        }
    }

    static func name(_ id: UBXMessageID) -> String? {
        MessageOutput.output(id).map(name)
            ?? legacyNames.first { $0.value == id }?.key
    }

    static func id(_ name: String) -> UBXMessageID? {
        MessageOutput.all.first { self.name($0) == name }?.id ?? legacyNames[name]
    }
}
