// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension UBXLegacyDialect {
    func steps(
        to requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        var steps: [ConfigurationStep] = []
        if requested.baudRate != nil || requested.messages != nil {
            steps += try portSteps(requested)
        }
        if let messages = requested.messages { steps += try messageSteps(messages) }
        if let constellations = requested.constellations {
            steps += try constellationSteps(constellations)
        }
        if requested.dynamics != nil || requested.minimumElevation != nil
            || requested.staticHoldSpeed != nil
        {
            steps += try navigationSteps(requested)
        }
        if let version = requested.nmeaVersion {
            var settings = try settings(CfgNMEA.self, "the version of NMEA")
            settings.nmeaVersion = Self.nmeaVersions[version] ?? settings.nmeaVersion
            steps += step("NMEA version", settings)
        }
        if let isOn = requested.autonomousAssistance {
            var settings = try settings(CfgNAVX5.self, "autonomous assistance")
            settings.autonomousAssistance = settings.autonomousAssistance & ~1 | (isOn ? 1 : 0)
            steps += expertStep(settings)
        }
        if let rate = requested.rate {
            let allowed = Self.smallestRate...largestRate(with: requested.constellations)
            guard allowed.contains(rate) else { throw impossible(rate: rate, among: allowed) }
            var settings = try settings(CfgRATE.self, "the rate")
            let period = Int((1000 / rate).rounded())
            // A chip may already have this rate by using every second measurement, for example.
            if Int(settings.measurementPeriod) * Int(settings.navigationRatio) != period {
                settings.measurementPeriod = UInt16(clamping: period)
                settings.navigationRatio = 1
            }
            steps += step("rate", settings)
        }
        return steps
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
        let setsRate = settings.baudRate != read(CfgPRT.self)?.baudRate
        return step(setsRate ? "baud rate" : "messages", settings).map {
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

    /// Returns the step for the navigation settings. Its mask limits the message to the fields that
    /// change.
    private func navigationSteps(
        _ requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        let before = try self.settings(CfgNAV5.self, "the navigation")
        var settings = before
        var mask = CfgNAV5.Mask()
        if let dynamics = requested.dynamics, dynamics.rawValue != before.dynamicModel {
            settings.dynamicModel = dynamics.rawValue
            mask.insert(.dynamicModel)
        }
        if let elevation = requested.minimumElevation, elevation != Int(before.minimumElevation) {
            settings.minimumElevation = Int8(clamping: elevation)
            mask.insert(.minimumElevation)
        }
        if let speed = requested.staticHoldSpeed {
            settings.staticHoldSpeed = UInt8(clamping: Int((speed * 100).rounded()))
            if settings.staticHoldSpeed != before.staticHoldSpeed {
                mask.insert(.staticHold)
            }
        }
        guard !mask.isEmpty else { return [] }
        var undo = before
        (settings.mask, undo.mask) = (mask, mask)
        return [
            ConfigurationStep(title: "navigation", command: settings.frame, undo: undo.frame)
        ]
    }

    private func expertStep(_ settings: CfgNAVX5) -> [ConfigurationStep] {
        guard var before = read(CfgNAVX5.self),
            before.autonomousAssistance != settings.autonomousAssistance
        else { return [] }
        var settings = settings
        (settings.mask, settings.mask2) = (CfgNAVX5.autonomousMask, 0)
        (before.mask, before.mask2) = (CfgNAVX5.autonomousMask, 0)
        return [
            ConfigurationStep(
                title: "autonomous assistance", command: settings.frame, undo: before.frame)
        ]
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
            (expert.mask, expert.mask2) = (CfgNAVX5.autonomousMask, 0)
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
