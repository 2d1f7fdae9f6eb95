// SPDX-License-Identifier: MIT
import GNSS

/// The dialect of all receivers except u-blox: the commands in the table of a family.
struct CommandDialect: Dialect {
    private let table: ChipTable
    var state: ReceiverState
    private var line: ConfigurationLine
    /// The requests that read the settings and have not been sent yet.
    private var queue: [Exchange] = []
    /// The requests that name the connected port, which the others report.
    private var portQueue: [ChipCommand] = []
    /// The baud rates of the ports, by name.
    private var ports: [String: Int] = [:]
    /// The fixes per second that the receiver calculates; `nil` if it did not report them.
    private var calculatedRate: Double?
    /// The fixes per second that were measured, if the receiver sends faster than it reports and no
    /// step has set the rate since.
    private var measuredRate: Double?

    init(_ identity: ReceiverIdentity, _ table: ChipTable, line: ConfigurationLine) {
        (state, self.table, self.line) = (ReceiverState(identity), table, line)
    }

    var probe: Exchange {
        let bytes = table.probe.bytes()
        return state.identity.family == .unidentified ? Exchange(bytes, attempts: 3) : .probe(bytes)
    }

    var rateRemedy: String? { table.rateRemedy }

    // MARK: Reading

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        self.line = line
        state.configuration = ReceiverConfiguration()
        (ports, calculatedRate, measuredRate) = ([:], nil, nil)
        // A chip that does not report its baud rate has that of the line.
        if table.port == nil, setting("baud") != nil {
            state.configuration.baudRate = line.baudRate
        }
        queue = []
        portQueue = table.settings.filter { setting in
            ReceiverConfiguration.properties.contains {
                $0.name == setting.value.names.property && $0.value(request.configuration) != nil
            }
        }.compactMap(\.read).filter(\.namesPort)
        for setting in table.settings where setting.read?.namesPort != true {
            guard let bytes = setting.read?.bytes(), !queue.contains(where: { $0.bytes == bytes })
            else { continue }
            queue.append(
                Exchange(
                    bytes, attempts: setting.isOptional ? 1 : 2, isOptional: setting.isOptional))
        }
    }

    mutating func beginRereading(_ steps: [ConfigurationStep], line: ConfigurationLine) {
        let rate = steps.contains { $0.title == "rate" } ? nil : measuredRate
        var request = ConfigurationRequest()
        if steps.contains(where: { $0.title == ChipValue.protocols.names.title }) {
            request.configuration.rtcmInput = true
        }
        beginReading(request, line: line)
        measuredRate = rate
    }

    mutating func nextRead() -> Exchange? {
        if !queue.isEmpty { return queue.removeFirst() }
        guard let port = state.port, let command = portQueue.popLast() else { return nil }
        return Exchange(command.bytes(port: port))
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        guard case .accepted(let messages) = outcome else { return }
        for setting in table.settings {
            // The answer lists the constellations that are off.
            if case .unused(let names) = setting.value, setting.read?.bytes() == exchange.bytes {
                state.configuration.constellations = Set(names.map(\.constellation))
            }
            for message in messages {
                guard let fields = setting.reply?.fields(in: message),
                    setting.value.read(fields, into: &state.configuration)
                else { continue }
                if case .calculationPeriod = setting.value {
                    calculatedRate = state.configuration.rate
                    state.configuration.rate = measuredRate ?? calculatedRate
                }
            }
        }
        if case .list(let list)? = state.configuration.messages {
            state.configuration.messages = .list(list.filter { $0.value > 0 })
        }
        for message in messages {
            if let port = table.port?(message) { ports[port.name] = port.baudRate }
        }
        guard !ports.isEmpty else { return }
        // Several ports may have the line's baud rate. The first one is used, because most boards
        // connect their USB converter to it.
        let ours = ports.filter { $0.value == line.baudRate }.keys.min()
        state.port = ours ?? (table.usesFirstPort ? ports.keys.min() : nil)
        state.configuration.baudRate = state.port.flatMap { ports[$0] }
    }

    /// Records which sentences were received, and assumes for them an interval of one fix, if the
    /// receiver does not report them. If none were received, for example at one fix in five
    /// seconds, the sent sentences stay unknown.
    mutating func observe(_ messages: [String]) {
        guard let setting = setting("messages"), setting.read == nil else { return }
        let known = messages.filter { setting.value.sentences?.names.contains($0) == true }
        guard !known.isEmpty else { return }
        state.configuration.messages = .list(
            Dictionary(known.map { ($0, 1) }, uniquingKeysWith: { $1 }))
    }

    /// Replaces the reported rate if the receiver sends faster than it calculates: no request reads
    /// the rate that `PMTK220` sets. A lower rate is not taken, because a full line loses sentences.
    mutating func observe(rate measured: Double) {
        let period = (1000 / measured).rounded()
        guard let calculatedRate, measured > calculatedRate * 1.15, period >= 1 else { return }
        measuredRate = 1000 / period
        state.configuration.rate = measuredRate
    }

    // MARK: Changes

    private func setting(_ property: String) -> ChipSetting? {
        table.settings.first { $0.value.names.property == property }
    }

    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int] {
        switch selection {
        case .nmea: return ["RMC": 1, "GGA": 1, "GSA": 1, "GSV": 1, "VTG": 1]
        case .ubx, .both: throw error(.unsupported, "does not send UBX")
        case .list(let list): return list
        }
    }

    func steps(
        to requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        for property in ReceiverConfiguration.properties
        where property.value(requested) != nil && setting(property.name) == nil {
            if property.name == "baud", let reason = table.baudRateRefusal {
                throw unsupported("set the baud rate", because: reason)
            }
            if property.name == ChipValue.protocols.names.property,
                let (reason, remedy) = table.rtcmInputRefusal
            {
                throw error(.unsupported, reason, remedy: remedy)
            }
            throw unsupported("set \(property.name)", because: "gpsbridge knows no command for it")
        }
        var steps: [ConfigurationStep] = []
        for setting in table.settings {
            if case .calculationPeriod = setting.value, steps.last?.title != "rate" { continue }
            try check(setting, requested)
            steps += try self.steps(setting, requested)
        }
        return steps
    }

    /// Throws an error if the receiver does not have a requested value.
    private func check(
        _ setting: ChipSetting, _ requested: ReceiverConfiguration
    ) throws(ConfigurationError) {
        if let periods = setting.value.periods, let rate = requested.rate,
            rate != state.configuration.rate,
            !(setting.value.text(requested).flatMap { Int($0) }.map(periods.contains) ?? false)
        {
            throw impossible(
                rate: rate,
                among: 1000 / Double(periods.upperBound)...1000 / Double(periods.lowerBound))
        }
        if let (names, limit) = setting.value.sentences, let selection = requested.messages {
            let list = try messages(of: selection)
            if list.values.contains(where: { $0 > limit }) {
                throw error(
                    .unsupported, "cannot send a sentence less often than with every \(limit)th fix"
                )
            }
            if let unknown = list.keys.first(where: { !names.contains($0) }) {
                throw error(
                    .unsupported, "has no sentence \(unknown)",
                    remedy: "use one of "
                        + names.filter { !$0.isEmpty }.joined(separator: ", "))
            }
        }
        if let known = setting.value.constellations, let wanted = requested.constellations,
            wanted != state.configuration.constellations
        {
            if let firmware = setting.firmware, !state.identity.model.hasPrefix(firmware),
                !state.identity.firmware.contains(firmware)
            {
                throw unsupported(
                    "set the constellations",
                    because: "gpsbridge does not know the command of this firmware")
            }
            if let other = wanted.first(where: { !known.contains($0) }) {
                let isBit = if case .bits = setting.value { true } else { false }
                throw error(
                    .unsupported,
                    isBit
                        ? "cannot receive \(other.name)"
                        : "cannot switch \(other.name) on or off")
            }
        }
        if case .version(let names) = setting.value, let version = requested.nmeaVersion,
            names[version] == nil
        {
            let known = names.keys.map(\.rawValue).sorted().joined(separator: " and ")
            throw error(.unsupported, "supports NMEA \(known), not \(version.rawValue)")
        }
    }

    /// Returns the steps that change a setting; empty if `requested` does not change it.
    private func steps(
        _ setting: ChipSetting, _ requested: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        var (requested, current) = (requested, state.configuration)
        requested.messages = try requested.messages.map { (selection) throws(ConfigurationError) in
            .list(try messages(of: selection))
        }
        func step(_ command: [UInt8], undo: [UInt8]?) -> ConfigurationStep {
            ConfigurationStep(
                title: setting.value.names.title, command: command, undo: undo,
                settling: setting.settling, refusal: setting.refusal,
                isOptional: setting.isOptional)
        }
        switch setting.value {
        case .interval(let names, _):
            guard case .list(let wanted)? = requested.messages else { return [] }
            return names.enumerated().compactMap { index, name in
                let new = wanted[name] ?? 0
                let old = current.messages.map { $0.intervals[name] ?? 0 }
                guard new != old else { return nil }
                var step = step(
                    setting.write.bytes("\(index),\(new)"),
                    undo: old.map { setting.write.bytes("\(index),\($0)") })
                // The previous interval is not known.
                step.isUndoPartial = true
                return step
            }
        case .unused(let names):
            guard let wanted = requested.constellations, let undo = setting.undo else { return [] }
            return names.compactMap { constellation, name in
                let isWanted = wanted.contains(constellation)
                guard isWanted != current.constellations?.contains(constellation) ?? true
                else { return nil }
                let (new, old) = isWanted ? (undo, setting.write) : (setting.write, undo)
                return step(new.bytes(name), undo: old.bytes(name))
            }
        case .calculationPeriod:
            guard calculatedRate != nil else { return [] }
            current.rate = calculatedRate
        default: break
        }
        let (new, old) = (setting.value.text(requested), setting.value.text(current))
        guard let new, new != old else { return [] }
        if setting.write.namesPort, state.port == nil {
            throw error(.unsupported, "does not report which of its ports is connected")
        }
        var step = step(
            setting.write.bytes(new, port: state.port),
            undo: old.map { setting.write.bytes($0, port: state.port) })
        if case .baudRate = setting.value { step.baudRate = requested.baudRate }
        // The previous intervals were derived from the received sentences.
        step.isUndoPartial = setting.value.sentences != nil && setting.read == nil
        return [step]
    }

    // MARK: Saving and restarts

    func savings(
        of request: ConfigurationRequest
    ) throws(ConfigurationError) -> [ConfigurationSaving] {
        if let (reason, remedy) = table.savingRefusal {
            throw error(.unsupported, reason, remedy: remedy)
        }
        guard let saving = table.saving else { throw noCommand("save its settings") }
        let special = (state.configuration.rate ?? 0) > 1 ? saving.atHighRate : nil
        return [
            ConfigurationSaving(
                requests: [saving.command.bytes()],
                saved: .init(
                    storage: .flash, explanation: special?.explanation ?? saving.explanation),
                remedy: special?.remedy)
        ]
    }

    private func noCommand(_ action: String) -> ConfigurationError {
        error(.unsupported, "gpsbridge knows no command to \(action)")
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        guard let command = table.restarts[restart] else {
            guard let reason = table.restartRefusal else { throw noCommand("restart it") }
            throw unsupported(
                table.restarts.isEmpty ? "restart" : "make a \(restart.rawValue) start",
                because: reason)
        }
        return start(command)
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        guard let last = table.resets.last else {
            guard let reason = table.restartRefusal else { throw noCommand("reset it") }
            throw unsupported("restore factory settings", because: reason)
        }
        return table.resets.dropLast().map { Exchange($0.bytes()) } + [start(last)]
    }

    /// Returns the request that restarts the receiver. It is sent only once.
    private func start(_ command: ChipCommand) -> Exchange {
        Exchange(command.bytes(), attempts: 1, settling: table.startTime)
    }

    /// Returns an empty list, because these receivers cannot restore everything that was read.
    func restoration() -> [ConfigurationJournal.Undo] { [] }
}
