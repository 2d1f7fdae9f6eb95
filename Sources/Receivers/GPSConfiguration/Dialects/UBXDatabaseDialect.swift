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
    private var readsStored = false
    private(set) var stored: [ConfigurationLayer: [ConfigurationKey: UInt64]] = [:]
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
        var optional: [[ConfigurationKey]] = [[.autonomousAssistance, .staticHoldSpeed]]
        if let port {
            if let baudRate = ConfigurationKey.baudRate(of: port) { keys.append(baudRate) }
            keys += [.output(.ubx, on: port), .output(.nmea, on: port), .input(.ubx, on: port)]
        }
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
        [NavPL.id, RxmCOR.id, SecSIG.id, SecSIGLOG.id],
        [NavEELL.id, MonSPAN.id, UBXMessageID(0x01, 0x32), UBXMessageID(0x29, 0x07)],
        [NavPVAT.id],
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
    func isUnanswered(_ key: ConfigurationKey) -> Bool {
        unanswered.contains { $0.includes(key) }
    }

    var lacksMessages: Bool {
        guard let port else { return false }
        return MessageOutput.all.contains { isUnanswered($0.key(on: port)) }
    }

    /// Creates an error for a key whose value is not known. If the chip did not answer the request
    /// for the key, the error says so. Otherwise, its text is `reason`.
    func unknown(_ key: ConfigurationKey, _ reason: String) -> ConfigurationError {
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
