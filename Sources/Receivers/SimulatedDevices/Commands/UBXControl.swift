// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import UBX

/// Interprets the UBX commands of a simulated u-blox chip and stores its configuration.
struct UBXControl: ReceiverControl {
    /// The size of the chip's input buffer in bytes.
    static let inputBuffer = 4096

    private let personality: Personality
    private let chip: UBXChip
    private var configurator: UBXConfigurator
    private(set) var assistance: Assistance
    private var input = UBXInput()
    private var traffic = MonCOMMS.Port()
    private(set) var settings: ReceiverSettings

    /// Creates a chip whose stored settings produce the rate, protocols and baud rate of
    /// `configuration`.
    init(_ chip: UBXChip, _ configuration: SimulatedReceiver.Configuration, identity: [UInt8]) {
        personality = configuration.personality
        self.chip = chip
        let port: UBXPort = configuration.baudRate == nil ? .usb : .uart1
        var store = ConfigurationStore(
            defaults: ConfigurationDefaults.values(of: chip, personality),
            hasFlash: chip.hasFlash)
        let saved = Self.items(of: configuration, chip, port).filter { store[$0.key] != $0.value }
        store.set(saved, in: .ram.union(chip.hasFlash ? .flash : .battery))
        configurator = UBXConfigurator(chip, port: port, store: store)
        assistance = Assistance(
            identity: identity, firmware: chip.version.software, configuration.acquisition)
        settings = ReceiverSettings(store, chip, port: port, personality)
    }

    mutating func restart(keepsBattery: Bool) {
        configurator.restart(keepsBattery: keepsBattery)
        assistance.restart(keepsBattery ? .hot : .cold)
        updateSettings()
    }

    /// Returns the configuration items for the rate, protocols and baud rate of `configuration`.
    private static func items(
        of configuration: SimulatedReceiver.Configuration, _ chip: UBXChip, _ port: UBXPort
    ) -> [ConfigurationItem] {
        let milliseconds = (1000 / configuration.effectiveRate).rounded()
        var items = [
            ConfigurationItem(.measurementPeriod, UInt64(min(65_535, max(1, milliseconds))))
        ]
        if let rate = configuration.baudRate, let line = LineKeys(port) {
            items.append(ConfigurationItem(line.baudRate, UInt64(rate.rawValue)))
        }
        let protocols = configuration.protocols
        for sentence in configuration.personality.cycle {
            guard let keys = sentence.ubxID.flatMap(MessageKeys.keys) else { continue }
            items.append(ConfigurationItem(keys.key(on: port), protocols.sendsNMEA))
        }
        for message in chip.navigation + chip.monitoring where protocols.sendsUBX {
            guard let keys = MessageKeys.keys(of: message) else { continue }
            items.append(ConfigurationItem(keys.key(on: port), true))
        }
        return items
    }

    private mutating func updateSettings() {
        settings = ReceiverSettings(
            configurator.store, chip, port: configurator.port, personality)
    }

    // MARK: Commands

    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverSnapshot) -> [ReceiverReaction] {
        traffic.bytesIn &+= UInt32(truncatingIfNeeded: bytes.count)
        // Bytes that don't fit into the chip's input buffer are lost, as in a real chip.
        let requests = input.requests(in: Array(bytes.prefix(Self.inputBuffer)))
        return requests.flatMap { settings.acceptsUBX ? receive($0, moment) : [] }
    }

    private mutating func receive(
        _ request: UBXInput.Request, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction] {
        switch request.id.messageClass {
        case 0x06: return configure(request)
        case 0x13 where chip.identityVersion != nil: return assist(request, moment)
        default: break
        }
        guard request.isPoll else { return [] }
        let answer =
            switch request.id {
            case MonGNSS.id where chip.knows(NavEOE.id): MonGNSS(chip, configurator.store).frame
            case MonCOMMS.id where chip.knows(MonCOMMS.id): ports.frame
            default: moment.poll(request.id)
            }
        return answer.isEmpty ? [] : [.answer(answer, after: 0)]
    }

    /// The answer to a poll of `MON-COMMS`: the number of bytes that the connected port has
    /// received. Sent bytes are not counted.
    private var ports: MonCOMMS {
        var port = traffic
        port.number = UInt16(configurator.port.rawValue) << 8
        var message = MonCOMMS()
        message.ports = [port]
        return message
    }

    private mutating func configure(_ request: UBXInput.Request) -> [ReceiverReaction] {
        switch chip.dialect {
        case .ignores: return []
        case .refuses: return [.answer(Self.acknowledgement(request.id, false), after: 0)]
        default: break
        }
        let before = settings
        let result = configurator.receive(request.id, request.payload)
        updateSettings()
        switch result {
        case .refused: return [.answer(Self.acknowledgement(request.id, false), after: 0)]
        case .restart(let message): return restart(message)
        case .accepted(let frames):
            let answer = frames.flatMap { $0 } + Self.acknowledgement(request.id, true)
            // A real chip answers at its new baud rate after a pause, so that a program can change
            // its own rate.
            let pause = settings.baudRate == before.baudRate ? 0 : Self.rateChange
            let reactions = [ReceiverReaction.answer(answer, after: pause)]
            let isSameSky =
                settings.constellations == before.constellations
                && settings.signals == before.signals
            let reloads =
                request.id == CfgCFG.id && request.payload.dropFirst(8).contains { $0 != 0 }
            return isSameSky && !reloads ? reactions : reactions + restartOfGNSS()
        }
    }

    /// The time from a change of the baud rate to the acknowledgement, in seconds.
    private static let rateChange = 0.03

    private static func acknowledgement(_ id: UBXMessageID, _ isAccepted: Bool) -> [UInt8] {
        UBXFrame.bytes(
            isAccepted ? AckACK.id : AckNAK.id, payload: [id.messageClass, id.number])
    }

    // MARK: Restarts

    /// Returns the reactions to a change of constellations: a hot restart of the GNSS engine, with
    /// texts before and after it.
    private func restartOfGNSS() -> [ReceiverReaction] {
        [
            .answer(notice("Stopping GNSS"), after: 0),
            .restart(ReceiverRestart(startKind: .hot, hasExtraEpoch: chip.hasDatabase)),
            .answer(notice("Starting GNSS"), after: 0.024),
        ]
    }

    private mutating func restart(_ message: CfgRST) -> [ReceiverReaction] {
        switch message.mode {
        case .stop: return [.run(false)]
        case .start: return [.run(true)]
        default: break
        }
        let startKind: ReceiverRestart.StartKind =
            message.clearedData == 0 ? .hot : message.clearedData == 0xFFFF ? .cold : .warm
        assistance.restart(startKind)
        let includesPort = message.mode != .gnssOnly
        if includesPort {
            configurator.restart(keepsBattery: true)
            updateSettings()
        }
        return [
            .restart(
                ReceiverRestart(
                    startKind: startKind, includesPort: includesPort, isAnnounced: includesPort))
        ]
    }

    /// Returns a message with a text: a TXT sentence or, if no sentences are enabled, a UBX
    /// message.
    private func notice(_ text: String) -> [UInt8] {
        if settings.sentences.isEmpty { return UBXNotice(level: .notice, text: text).frame }
        let talker = settings.applied(to: personality).isCombined ? "GN" : "GP"
        return TextCommand.sentence("\(talker)TXT,01,01,02,\(text)")
    }

    // MARK: Assistance

    /// The minimum time between the sending of two entries of the navigation database, in seconds.
    /// A slow line takes longer.
    private static let entryTime = 0.005

    private mutating func assist(
        _ request: UBXInput.Request, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction] {
        let acknowledges = configurator.store[.acknowledgesAiding] == 1
        if request.id == MgaDBD.id, request.isPoll {
            let entries = assistance.entries(moment)
            var frames = entries.map(\.frame)
            if acknowledges { frames.append(assistance.end(of: entries.count).frame) }
            return frames.enumerated().map { .answer($1, after: Double($0) * Self.entryTime) }
        }
        let answer = assistance.receive(request.id, request.payload, moment)
        var reactions: [ReceiverReaction] = []
        if acknowledges { reactions.append(.answer(answer.frame, after: 0)) }
        if let acquisition = assistance.changedAcquisition() {
            reactions.append(.assistance(acquisition))
        }
        return reactions
    }
}
