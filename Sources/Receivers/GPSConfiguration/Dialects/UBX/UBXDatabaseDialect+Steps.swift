// SPDX-License-Identifier: MIT
import GNSS
import UBX

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
        if let constellations = requested.constellations {
            // The receiver restarts its navigation and sends one epoch at an irregular time.
            groups.append(
                Group(
                    title: "constellations", items: try signalItems(constellations),
                    settling: .milliseconds(500),
                    refusal: "it does not allow this combination of constellations and signals"))
        }
        groups.append(Group(title: "navigation", items: try navigationItems(requested)))
        // The receiver refuses a whole request if it does not know one of the keys, so each
        // optional key has its own request.
        if let isOn = requested.autonomousAssistance {
            let item = ConfigurationItem(.autonomousAssistance, isOn)
            groups.append(try optionalGroup("autonomous assistance", item))
        }
        if let speed = requested.staticHoldSpeed {
            let item = ConfigurationItem(.staticHoldSpeed, UInt64((speed * 100).rounded()))
            groups.append(try optionalGroup("static hold", item))
        }
        return groups
    }

    private func optionalGroup(
        _ title: String, _ item: ConfigurationItem
    ) throws(ConfigurationError) -> Group {
        guard values[item.key] != nil else {
            throw unknown(
                item.key, "has no \(title): its firmware does not know \(item.key.name)")
        }
        return Group(title: title, items: [item])
    }

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

    private func navigationItems(
        _ requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationItem] {
        var items: [ConfigurationItem] = []
        if let rate = requested.rate {
            let allowed = Self.smallestRate...largestRate
            guard allowed.contains(rate) else { throw impossible(rate: rate, among: allowed) }
            let period = UInt64((1000 / rate).rounded())
            let (measurement, ratio) = (
                values[.measurementPeriod] ?? 0, values[.navigationRatio] ?? 1
            )
            // A chip may already have this rate by using every second measurement, for example.
            let isSet = measurement * ratio == period
            items.append(ConfigurationItem(.measurementPeriod, isSet ? measurement : period))
            items.append(ConfigurationItem(.navigationRatio, isSet ? ratio : 1))
        }
        if let dynamics = requested.dynamics {
            items.append(ConfigurationItem(.dynamicModel, UInt64(dynamics.rawValue)))
        }
        if let elevation = requested.minimumElevation {
            let byte = UInt8(bitPattern: Int8(clamping: elevation))
            items.append(ConfigurationItem(.minimumElevation, UInt64(byte)))
        }
        if let version = requested.nmeaVersion, let number = Self.nmeaVersions[version] {
            items.append(ConfigurationItem(.nmeaVersion, number))
        }
        return items
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
        key == .autonomousAssistance || key == .staticHoldSpeed
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
            let items = try groups(requested).flatMap(\.items)
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
