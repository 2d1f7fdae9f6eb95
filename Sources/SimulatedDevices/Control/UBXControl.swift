// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import UBX

/// The commands and the memory of a simulated u-blox chip.
struct UBXControl: ReceiverControl {
    /// The bytes that the chip can hold before it has read them.
    static let inputBuffer = 4096

    private let personality: Personality
    private let chip: UBXChip
    private var configurator: UBXConfigurator
    private(set) var assistance: Assistance
    private var input = UBXInput()
    private(set) var settings: ReceiverSettings

    /// Creates the control of a chip that was set to send as configured, and has saved that.
    init(_ chip: UBXChip, _ configuration: SimulatedReceiver.Configuration, identity: [UInt8]) {
        personality = configuration.personality
        self.chip = chip
        let port: UBXPort = configuration.baudRate == nil ? .usb : .uart1
        var store = ConfigurationStore(
            defaults: ConfigurationDefaults.values(of: chip, personality),
            hasFlash: chip.configuration.hasFlash)
        let saved = Self.items(of: configuration, chip, port).filter { store[$0.key] != $0.value }
        store.set(saved, in: .ram.union(chip.configuration.hasFlash ? .flash : .battery))
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

    /// The values by which a chip sends as configured.
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
            guard let keys = MessageKeys.keys(of: message.id) else { continue }
            items.append(ConfigurationItem(keys.key(on: port), true))
        }
        return items
    }

    private mutating func updateSettings() {
        settings = ReceiverSettings(
            configurator.store, chip, port: configurator.port, personality)
    }

    // MARK: Commands

    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverMoment) -> [ReceiverReaction] {
        // Bytes that don't fit in the chip's buffer are lost silently.
        let requests = input.requests(in: Array(bytes.prefix(Self.inputBuffer)))
        return requests.flatMap { settings.acceptsUBX ? receive($0, moment) : [] }
    }

    private mutating func receive(
        _ request: UBXInput.Request, _ moment: ReceiverMoment
    ) -> [ReceiverReaction] {
        switch request.id.messageClass {
        case 0x06: return configure(request)
        case 0x13 where chip.identityVersion != nil: return assist(request, moment)
        default: break
        }
        guard request.isPoll else { return [] }
        let answer =
            request.id == MonGNSS.id && chip.knows(NavEOE.id)
            ? MonGNSS(chip, configurator.store).frame : moment.poll(request.id)
        return answer.isEmpty ? [] : [.answer(answer, after: 0)]
    }

    private mutating func configure(_ request: UBXInput.Request) -> [ReceiverReaction] {
        switch chip.configuration.dialect {
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
            // A real chip answers at its new rate, after some milliseconds in which a program can
            // change its own.
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

    /// Seconds from a change of the line's rate to the acknowledgement.
    private static let rateChange = 0.03

    private static func acknowledgement(_ id: UBXMessageID, _ isAccepted: Bool) -> [UInt8] {
        var positive = AckACK()
        (positive.messageClass, positive.number) = (id.messageClass, id.number)
        var negative = AckNAK()
        (negative.messageClass, negative.number) = (id.messageClass, id.number)
        return isAccepted ? positive.frame : negative.frame
    }

    // MARK: Restarts

    /// A chip restarts its search when its constellations change.
    private func restartOfGNSS() -> [ReceiverReaction] {
        [
            .answer(notice("Stopping GNSS"), after: 0),
            .restart(ReceiverRestart(knowledge: .hot, hasExtraEpoch: chip.hasDatabase)),
            .answer(notice("Starting GNSS"), after: 0.024),
        ]
    }

    private mutating func restart(_ message: CfgRST) -> [ReceiverReaction] {
        switch message.mode {
        case .stop: return [.run(false)]
        case .start: return [.run(true)]
        default: break
        }
        let knowledge: ReceiverRestart.Knowledge =
            message.clearedData == 0 ? .hot : message.clearedData == 0xFFFF ? .cold : .warm
        assistance.restart(knowledge)
        let includesPort = message.mode != .gnssOnly
        if includesPort {
            configurator.restart(keepsBattery: true)
            updateSettings()
        }
        return [
            .restart(
                ReceiverRestart(
                    knowledge: knowledge, includesPort: includesPort, isAnnounced: includesPort))
        ]
    }

    /// A text in the protocol that the port sends.
    private func notice(_ text: String) -> [UInt8] {
        if settings.sentences.isEmpty { return UBXNotice(level: .notice, text: text).frame }
        let talker = settings.applied(to: personality).isCombined ? "GN" : "GP"
        let body = "\(talker)TXT,01,01,02,\(text)"
        return TextCommand.sentence(body)
    }

    // MARK: Assistance

    private mutating func assist(
        _ request: UBXInput.Request, _ moment: ReceiverMoment
    ) -> [ReceiverReaction] {
        let acknowledges = configurator.store[.acknowledgesAiding] == 1
        if request.id == MgaDBD.id, request.isPoll {
            let entries = assistance.entries(moment)
            var reactions = entries.map { ReceiverReaction.answer($0.frame, after: 0) }
            if acknowledges {
                let end = assistance.end(of: entries.count)
                reactions.append(.answer(end.frame, after: 0))
            }
            return reactions
        }
        guard let answer = assistance.receive(request.id, request.payload, moment) else {
            return []
        }
        var reactions: [ReceiverReaction] = []
        if acknowledges { reactions.append(.answer(answer.frame, after: 0)) }
        if let acquisition = assistance.changedAcquisition() {
            reactions.append(.assistance(acquisition))
        }
        return reactions
    }
}
