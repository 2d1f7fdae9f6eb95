// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The dialect of u-blox M9, F9, M10 and later: keys and values in `CFG-VALSET` and `CFG-VALGET`.
struct UBXDatabaseDialect: UBXDialect {
    var state: ReceiverState
    private(set) var port: UBXPort?
    /// The values that are currently in effect (the RAM layer).
    private(set) var values: [ConfigurationKey: UInt64] = [:]
    /// The keys in requests that the chip did not answer. Whether the chip has these keys is not
    /// known.
    private var unanswered: [ConfigurationKey] = []

    private enum Stage { case port, values, signals, ports, stored, read }
    private var stage = Stage.port
    private var queue: [Exchange] = []
    private var readsMessages = true
    private var readsRTCMInput = false
    private var readsAuthentication = false
    private var readsStored = false
    private var stored: [ConfigurationLayer: [ConfigurationKey: UInt64]] = [:]
    /// The baud rates and protocols of all ports.
    private var portValues: [ConfigurationKey: UInt64] = [:]
    /// The number of bytes that each port had received at the first of two MON-COMMS polls, by port
    /// number; `nil` before the first poll.
    private var receivedBytes: [UInt16: UInt32]?

    init(_ identity: ReceiverIdentity, line: ConfigurationLine) {
        state = ReceiverState(identity)
        if line.isNativeUSB { port = .usb }
    }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        (readsMessages, readsStored) = (request.needsMessages, request.readsStoredValues)
        readsRTCMInput = request.configuration.rtcmInput != nil
        readsAuthentication = request.configuration.galileoAuthentication != nil
        values = [:]
        unanswered = []
        portValues = [:]
        queue = []
        stage = .port
        if port == nil { queue = [Exchange(CfgPRT.poll, timeout: .seconds(1), isOptional: true)] }
    }

    mutating func beginRereading(_ steps: [ConfigurationStep], line: ConfigurationLine) {
        let keys = steps.compactMap { $0.command.ubxMessage?.payload }
            .compactMap { CfgVALSET(payload: $0.span)?.items }
            .joined().map(\.key)
        for key in keys { values[key] = nil }
        readsStored = false
        stage = .values
        queue = keys.parts(of: CfgVALGET.maximumItems).map { request($0) }
    }

    mutating func nextRead() -> Exchange? {
        while queue.isEmpty {
            switch stage {
            case .port:
                state.port = port?.name
                stage = .values
                queue = valueRequests
            case .values:
                state.configuration = configuration(of: values)
                let known = SignalKey.constellations.filter { values[$0.key] != nil }
                state.supportedConstellations = Set(known.compactMap(\.constellation))
                stage = .signals
                if !known.allSatisfy(hasEnabledSignal) {
                    queue = [request([.wholeGroup(0x31)], layer: .defaults)]
                }
            case .signals:
                stage = readsStored ? .ports : .read
                queue = readsStored ? [portRequest] : []
            case .ports:
                state.ports = ports(of: portValues)
                stage = .stored
                queue = storedRequests
            case .stored:
                let layers: [(ConfigurationLayer, ReceiverState.Storage)] = [
                    (.battery, .battery), (.flash, .flash), (.defaults, .defaults),
                ]
                for (layer, storage) in layers {
                    state.stored[storage] = stored[layer].map(configuration(of:))
                }
                stage = .read
            case .read: return nil
            }
        }
        return queue.removeFirst()
    }

    /// Returns whether at least one of a constellation's signals is enabled. Otherwise, the
    /// constellation can be enabled only together with a signal.
    private func hasEnabledSignal(_ constellation: SignalKey) -> Bool {
        SignalKey.signals.contains {
            $0.gnssID == constellation.gnssID && values[$0.key] == 1
        }
    }

    private var valueRequests: [Exchange] {
        var keys: [ConfigurationKey] = [
            .measurementPeriod, .navigationRatio, .timeReference, .dynamicModel,
            .minimumElevation, .nmeaVersion,
        ]
        var optional = [Self.optionalKeys.map(\.key)]
        if let port {
            if let baudRate = ConfigurationKey.baudRate(of: port) { keys.append(baudRate) }
            keys += [.output(.ubx, on: port), .output(.nmea, on: port), .input(.ubx, on: port)]
        }
        if let port, readsRTCMInput { optional.append([.input(.rtcm3, on: port)]) }
        if readsAuthentication { optional.append([.galileoAuthentication]) }
        if let port, readsMessages {
            let rare = Set(Self.optionalMessages.joined())
            keys += MessageOutput.all.filter { !rare.contains($0.id) }.map { $0.key(on: port) }
            optional += Self.optionalMessages.map { ids in
                ids.compactMap { MessageOutput.output($0)?.key(on: port) }
            }
        }
        return keys.parts(of: CfgVALGET.maximumItems).map { request($0) }
            + [request([.wholeGroup(0x31)])] + optional.map { request($0) }
    }

    /// Messages that only some chips have. The messages of one list usually exist together.
    private static let optionalMessages: [[UBXMessageID]] = [
        [NavHPPOSLLH.id, NavSVIN.id, NavRELPOSNED.id, RxmRTCM.id, RxmRAWX.id],
        [NavPL.id, RxmCOR.id, MonSYS.id, SecSIG.id, SecSIGLOG.id],
        [NavEELL.id, MonSPAN.id, UBXMessageID(0x01, 0x32), UBXMessageID(0x29, 0x07)],
        [NavPVAT.id], [SecOSNMA.id],
    ]

    /// A request for the baud rates and the protocols of all ports. It names whole groups, because
    /// the chip refuses a request for a key of a port that it lacks.
    private var portRequest: Exchange {
        let rates = [UBXPort.uart1, .uart2].compactMap(ConfigurationKey.baudRate(of:)).map(\.group)
        let protocols = UBXPort.all.flatMap { port in
            [
                ConfigurationKey.input(.ubx, on: port).group,
                ConfigurationKey.output(.ubx, on: port).group,
            ]
        }
        return request((rates + protocols).map { .wholeGroup($0) })
    }

    private var storedRequests: [Exchange] {
        // A request for a key that was never stored may be refused, but a request for a group is
        // not.
        let groups = [0x21, 0x11, 0x31, 0x52].map { ConfigurationKey.wholeGroup($0) }
        return [.battery, .flash, .defaults].map { request(groups, layer: $0) }
    }

    private func request(
        _ keys: [ConfigurationKey], layer: ConfigurationLayer = .ram, position: UInt16 = 0
    ) -> Exchange {
        Exchange(CfgVALGET(keys, layer: layer, position: position).frame, attempts: 3)
    }

    /// Returns whether the chip did not answer the request for a key.
    private func isUnanswered(_ key: ConfigurationKey) -> Bool {
        unanswered.contains { $0.includes(key) }
    }

    var lacksMessages: Bool {
        guard let port else { return false }
        return MessageOutput.all.contains { isUnanswered($0.key(on: port)) }
    }

    /// Creates an error for a key whose value is not known. If the chip did not answer the request
    /// for the key, the error says so. Otherwise, its text is `reason`.
    private func unknown(_ key: ConfigurationKey, _ reason: String) -> ConfigurationError {
        isUnanswered(key)
            ? error(
                .noAnswer, "did not answer the request for \(key.name)",
                remedy: "try again, perhaps with fewer messages on the line")
            : error(.unsupported, reason)
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        guard let request = exchange.bytes.ubxMessage else { return }
        switch request.id {
        case CfgVALGET.id: didGetValues(CfgVALGET(payload: request.payload.span), outcome)
        case CfgPRT.id: didReadPort(outcome)
        default: didReadPorts(exchange, outcome)
        }
    }

    private mutating func didReadPort(_ outcome: Exchange.Outcome) {
        if let answer = outcome.answer(CfgPRT.self) {
            port = answer.port
        } else {
            queue = [Exchange(UBXFrame.bytes(MonCOMMS.id, payload: []))]
        }
    }

    /// Finds the connected port. Between two answers to MON-COMMS polls, that port's count of
    /// received bytes has grown by the length of one poll, or of a few polls if some were repeated
    /// because an answer was late.
    private mutating func didReadPorts(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        guard case .accepted(let messages) = outcome, case .ubx(_, let payload)? = messages.last,
            let ports = MonCOMMS(payload: payload.span)?.ports
        else { return }
        if let before = receivedBytes {
            let polls = (1...4).map { UInt32(exchange.bytes.count * $0) }
            let grown = ports.filter { polls.contains($0.bytesIn &- (before[$0.number] ?? 0)) }
            if grown.count == 1, let number = grown.first?.number {
                port = UBXPort(rawValue: UInt8(number >> 8))
            }
            receivedBytes = nil
        } else {
            receivedBytes = Dictionary(
                ports.map { ($0.number, $0.bytesIn) }, uniquingKeysWith: { $1 })
            queue = [exchange]
        }
    }

    private mutating func didGetValues(_ request: CfgVALGET?, _ outcome: Exchange.Outcome) {
        guard let request, let keys = request.keys else { return }
        switch outcome {
        case .accepted(let messages):
            guard case .ubx(_, let payload)? = messages.last,
                let items = CfgVALGET(payload: payload.span)?.items
            else { return }
            for item in items {
                if stage == .ports {
                    portValues[item.key] = item.value
                } else if request.layer == .ram {
                    values[item.key] = item.value
                } else {
                    stored[request.layer, default: [:]][item.key] = item.value
                }
            }
            if items.count == CfgVALGET.maximumItems, keys.contains(where: \.isWildcard) {
                let (position, isOver) = request.position.addingReportingOverflow(
                    UInt16(items.count))
                guard !isOver else { return }
                queue.insert(self.request(keys, layer: request.layer, position: position), at: 0)
            }
        case .refused where keys.count > 1:
            // The receiver refuses a whole request if it does not know one of the keys. A short
            // list takes the fewest requests if each key has its own.
            let size = keys.count > 5 ? (keys.count + 1) / 2 : 1
            queue.insert(
                contentsOf: keys.parts(of: size).map { self.request($0, layer: request.layer) },
                at: 0)
        case .refused: break
        case .silent where request.layer == .ram: unanswered += keys
        case .silent: break
        }
    }
}

extension Array {
    /// Divides the array into parts with `count` elements. The last part may have fewer.
    func parts(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0...].prefix(count)) }
    }
}

extension UBXDatabaseDialect {
    /// Returns the settings that correspond to values of the receiver's configuration database.
    func configuration(of values: [ConfigurationKey: UInt64]) -> ReceiverConfiguration {
        var configuration = commonConfiguration(of: values)
        if let port, let key = ConfigurationKey.baudRate(of: port) {
            configuration.baudRate = values[key].map { Int($0) }
        }
        let enabled = SignalKey.constellations.filter { values[$0.key] == 1 }
        if SignalKey.constellations.contains(where: { values[$0.key] != nil }) {
            configuration.constellations = Set(enabled.compactMap(\.constellation))
        }
        configuration.messages = messages(of: values)
        configuration.rtcmInput = port.flatMap { values[.input(.rtcm3, on: $0)] }.map { $0 == 1 }
        if readsAuthentication {
            configuration.galileoAuthentication =
                values[.galileoAuthentication] == 0 ? false : sendsSignatures(configuration)
        }
        return configuration
    }

    var signatureMessages: [String] {
        guard let port, let own = MessageOutput.output(SecOSNMA.id),
            values[own.key(on: port)] != nil
        else { return Self.signatureMessages }
        return Self.signatureMessages + [UBXMessageNames.name(own)]
    }

    private func messages(of values: [ConfigurationKey: UInt64]) -> MessageSelection? {
        guard let port else { return nil }
        var list: [String: Int] = [:]
        var isKnown = false
        for output in MessageOutput.all {
            guard let interval = values[output.key(on: port)] else { continue }
            isKnown = true
            let isOn = values[.output(output.isSentence ? .nmea : .ubx, on: port)] != 0
            if interval > 0, isOn { list[UBXMessageNames.name(output)] = Int(interval) }
        }
        return isKnown ? .list(list) : nil
    }

    /// Returns the ports whose protocols are among the values, with their baud rates.
    private func ports(of values: [ConfigurationKey: UInt64]) -> [ReceiverState.Port] {
        UBXPort.all.compactMap { port in
            let kinds = ConfigurationKey.PortProtocol.allCases
            guard kinds.contains(where: { values[.input($0, on: port)] != nil }) else { return nil }
            return ReceiverState.Port(
                name: port.name,
                baudRate: ConfigurationKey.baudRate(of: port).flatMap { values[$0] }.map(Int.init),
                input: kinds.filter { values[.input($0, on: port)] == 1 }.map(\.label),
                output: kinds.filter { values[.output($0, on: port)] == 1 }.map(\.label))
        }
    }

    func largestRate(with constellations: Set<Constellation>?) -> Double {
        switch state.identity.leastProtocolVersion {
        case ..<32: 20
        case ..<40: 25
        case ..<50: 20
        default: 25
        }
    }
}

extension UBXDatabaseDialect {
    /// Items of the configuration database that are set together, with one request if they fit.
    private struct Group {
        var title: String
        var items: [ConfigurationItem]
        var baudRate: Int?
        var settling = Duration.zero
        var refusal: String?
    }

    func steps(
        to requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        try groups(requested).flatMap(steps)
    }

    private func groups(_ requested: ReceiverConfiguration) throws(ConfigurationError) -> [Group] {
        var groups: [Group] = []
        if let baudRate = requested.baudRate {
            guard let port, let key = ConfigurationKey.baudRate(of: port) else {
                throw error(.unsupported, "its port \(self.port?.name ?? "") has no baud rate")
            }
            let item = ConfigurationItem(key, UInt64(baudRate))
            groups.append(Group(title: "baud rate", items: [item], baudRate: baudRate))
        }
        if let messages = requested.messages {
            groups.append(Group(title: "messages", items: try messageItems(messages)))
        }
        if let accepts = requested.rtcmInput {
            let key = port.map { ConfigurationKey.input(.rtcm3, on: $0) }
            guard let key, values[key] != nil else {
                let reason = "does not accept RTCM 3: it has no RTK"
                throw key.map { unknown($0, reason) } ?? error(.unsupported, reason)
            }
            groups.append(Group(title: "RTCM input", items: [ConfigurationItem(key, accepts)]))
        }
        if let isOn = requested.galileoAuthentication, values[.galileoAuthentication] != nil {
            groups.append(
                Group(
                    title: "Galileo authentication",
                    items: [ConfigurationItem(.galileoAuthentication, isOn)]))
        }
        if let constellations = requested.constellations {
            // The receiver restarts its navigation and sends one epoch at an irregular time.
            groups.append(
                Group(
                    title: "constellations", items: try signalItems(constellations),
                    settling: .milliseconds(500),
                    refusal: "it does not allow this combination of constellations and signals"))
        }
        groups.append(
            Group(
                title: "navigation",
                items: try rateItems(of: requested)
                    + items(of: requested, [.dynamicModel, .minimumElevation, .nmeaVersion])))
        // The receiver refuses a whole request if it does not know one of the keys, so each
        // optional key has its own request.
        for item in items(of: requested, Self.optionalKeys.map(\.key)) {
            let title = Self.optionalKeys.first { $0.key == item.key }?.title ?? ""
            guard values[item.key] != nil else {
                throw unknown(
                    item.key, "has no \(title): its firmware does not know \(item.key.name)")
            }
            groups.append(Group(title: title, items: [item]))
        }
        return groups
    }

    /// Keys that only some chips have.
    private static let optionalKeys: [(key: ConfigurationKey, title: String)] = [
        (.autonomousAssistance, "autonomous assistance"), (.staticHoldSpeed, "static hold"),
    ]

    /// Returns the requests for the group's items that differ from the values in effect. Each
    /// request contains at most `CfgVALSET.maximumItems` items.
    private func steps(_ group: Group) -> [ConfigurationStep] {
        let different = group.items.filter { values[$0.key] != $0.value }
        return different.parts(of: CfgVALSET.maximumItems).map { part in
            let before = part.compactMap { item in
                values[item.key].map { ConfigurationItem(item.key, $0) }
            }
            return ConfigurationStep(
                title: group.title, command: CfgVALSET(part).frame,
                undo: before.isEmpty ? nil : CfgVALSET(before).frame,
                isUndoPartial: before.count < part.count, baudRate: group.baudRate,
                settling: group.settling, refusal: group.refusal)
        }
    }

    /// Returns items that set the interval of every message on the port, and that enable the
    /// protocols of the wanted messages.
    private func messageItems(
        _ selection: MessageSelection
    ) throws(ConfigurationError) -> [ConfigurationItem] {
        guard let port else {
            throw error(
                .unsupported, "does not report which of its ports is connected",
                remedy: "connect nothing else to it, and try again")
        }
        let wanted = try messages(of: selection)
        for name in wanted.keys {
            let id = try messageID(name)
            guard let output = MessageOutput.output(id) else {
                throw error(.unsupported, "has no message \(name)")
            }
            let key = output.key(on: port)
            guard values[key] != nil else { throw unknown(key, "has no message \(name)") }
        }
        // The interval of a message that is to be switched off may be unknown.
        let keys = MessageOutput.all.map { $0.key(on: port) }
        if let key = keys.first(where: isUnanswered) { throw unknown(key, "") }
        var items: [ConfigurationItem] = []
        for output in MessageOutput.all where values[output.key(on: port)] != nil {
            let interval = wanted[UBXMessageNames.name(output)] ?? 0
            items.append(ConfigurationItem(output.key(on: port), UInt64(interval)))
        }
        // Answers to requests are UBX, so UBX stays enabled.
        items.append(ConfigurationItem(.output(.ubx, on: port), true))
        if wanted.keys.contains(where: { UBXMessageNames.id($0)?.messageClass ?? 0 >= 0xF0 }) {
            items.append(ConfigurationItem(.output(.nmea, on: port), true))
        }
        return items
    }

    /// Returns items that switch each constellation on or off, with the signals that the wanted
    /// constellations need.
    private func signalItems(
        _ constellations: Set<Constellation>
    ) throws(ConfigurationError) -> [ConfigurationItem] {
        let wanted = withQZSS(constellations)
        var items: [ConfigurationItem] = []
        for signal in SignalKey.constellations {
            let constellation = signal.constellation
            let isWanted = constellation.map(wanted.contains) ?? false
            guard values[signal.key] != nil else {
                if let constellation, constellations.contains(constellation) {
                    throw unknown(
                        signal.key,
                        "cannot receive \(constellation.name): its firmware has no "
                            + "\(signal.key.name)")
                }
                continue
            }
            items.append(ConfigurationItem(signal.key, isWanted))
            if isWanted { items += signalItems(of: signal, among: wanted) }
        }
        return items
    }

    /// Returns items that enable signals of a wanted constellation; empty if its enabled signals
    /// can stay as they are.
    private func signalItems(
        of constellation: SignalKey, among wanted: Set<Constellation>
    ) -> [ConfigurationItem] {
        // An M10 receives one of BeiDou's signals B1I and B1C at a time, and only B1C together with
        // GLONASS.
        let both: Set<Constellation> = [.beiDou, .glonass]
        if constellation.constellation == .beiDou, both.isSubset(of: wanted), isM10,
            state.configuration.constellations != wanted,
            values[.beiDouB1I] != nil, values[.beiDouB1C] != nil
        {
            return [
                ConfigurationItem(.beiDouB1I, false), ConfigurationItem(.beiDouB1C, true),
            ]
        }
        let signals = SignalKey.signals.filter {
            $0.gnssID == constellation.gnssID && values[$0.key] != nil
        }
        guard !signals.contains(where: { values[$0.key] == 1 }) else { return [] }
        // Some chips have keys for signals that they cannot receive, or not together: a NEO-F10N
        // for B1I, a ZED-X20P for E5b. Those are off by default.
        let usual = signals.filter { stored[.defaults]?[$0.key] == 1 }
        return (usual.isEmpty ? signals : usual).map { ConfigurationItem($0.key, true) }
    }

    private var isM10: Bool { 34..<35 ~= state.identity.leastProtocolVersion }

    func restoration() -> [ConfigurationJournal.Undo] {
        let baudRateKey = port.flatMap { ConfigurationKey.baudRate(of: $0) }
        let others = values.filter { $0.key != baudRateKey && !isOptional($0.key) }
        var undo = parts(of: others).map { ConfigurationJournal.Undo(bytes: CfgVALSET($0).frame) }
        // If the receiver refuses an optional key, it still restores the others.
        undo += parts(of: values.filter { isOptional($0.key) }).joined().map {
            ConfigurationJournal.Undo(bytes: CfgVALSET([$0]).frame)
        }
        if let baudRateKey, let value = values[baudRateKey] {
            undo.append(
                ConfigurationJournal.Undo(
                    bytes: CfgVALSET([ConfigurationItem(baudRateKey, value)]).frame,
                    baudRate: Int(value)))
        }
        return undo
    }

    /// Returns items that set these values, in the order of their keys. The items are divided into
    /// parts that fit in one request.
    private func parts(of values: [ConfigurationKey: UInt64]) -> [[ConfigurationItem]] {
        values.map { ConfigurationItem($0.key, $0.value) }
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .parts(of: CfgVALSET.maximumItems)
    }

    private func isOptional(_ key: ConfigurationKey) -> Bool {
        key == .galileoAuthentication || Self.optionalKeys.contains { $0.key == key }
    }

    func savings(
        of request: ConfigurationRequest
    ) throws(ConfigurationError) -> [ConfigurationSaving] {
        // Messages may set any key, and were sent after the values had been read.
        guard request.messages.isEmpty else { return [savingOfEverything] }
        let requested = request.configuration
        // Only the requested settings are saved, so that other stored values do not change. If none
        // were requested, everything that was read is saved.
        var saved = values
        if !requested.isEmpty {
            var items = try groups(requested).flatMap(\.items)
            if !request.addedMessages.isEmpty, let port {
                let others = MessageOutput.all.filter {
                    !request.addedMessages.contains(UBXMessageNames.name($0))
                }
                let keys = Set(others.map { $0.key(on: port) })
                items.removeAll { keys.contains($0.key) }
            }
            var keys = Set(items.map(\.key))
            if requested.constellations != nil {
                keys.formUnion(SignalKey.signals.map(\.key))
            }
            saved = values.filter { keys.contains($0.key) }
            // The receiver may not have reported a changed value.
            for item in items where saved[item.key] == nil { saved[item.key] = item.value }
        }
        let parts = parts(of: saved)
        guard !parts.isEmpty else {
            throw error(
                .noAnswer, "did not report the settings to save",
                remedy: "try again, perhaps with fewer messages on the line")
        }
        func requests(_ layers: ConfigurationLayers) -> [[UInt8]] {
            parts.map { CfgVALSET($0, layers: layers).frame }
        }
        return [
            ConfigurationSaving(
                requests: requests(.battery.union(.flash)), saved: savedExplanation(.flash)),
            ConfigurationSaving(
                requests: requests(.battery), saved: savedExplanation(.battery)),
        ]
    }
}
