// SPDX-License-Identifier: MIT
import GNSS

/// The common part of the dialects of all receivers except u-blox.
protocol CommandDialect: Dialect {
    var state: ReceiverState { get set }

    /// The requests that read the settings and have not been sent yet.
    var queue: [Exchange] { get set }
}

extension CommandDialect {
    mutating func nextRead() -> Exchange? { queue.isEmpty ? nil : queue.removeFirst() }

    /// Records which of `sentences` were received, and assumes for them an interval of one fix. If
    /// none were received, for example at one fix in five seconds, the sent sentences stay unknown.
    mutating func observe(_ messages: [String], among sentences: [String]) {
        let known = messages.filter { sentences.contains($0) }
        guard !known.isEmpty else { return }
        state.configuration.messages = .list(
            Dictionary(known.map { ($0, 1) }, uniquingKeysWith: { $1 }))
    }

    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int] {
        switch selection {
        case .nmea: return ["RMC": 1, "GGA": 1, "GSA": 1, "GSV": 1, "VTG": 1]
        case .ubx, .both: throw error(.unsupported, "does not send UBX")
        case .list(let list): return list
        }
    }

    /// Returns the only way to save settings on this receiver: `request`, which saves them in
    /// flash.
    func flashSavings(
        _ request: [UInt8], _ explanation: String = "saved in flash, permanently",
        remedy: String? = nil
    ) -> [ConfigurationSaving] {
        [
            ConfigurationSaving(
                requests: [request], saved: .init(storage: .flash, explanation: explanation),
                remedy: remedy)
        ]
    }

    /// Returns the request that restarts the receiver with a sentence. The request is sent only
    /// once.
    static func start(_ sentence: String) -> Exchange {
        Exchange(TextLine.sentence(sentence), attempts: 1, settling: .seconds(1))
    }

    /// Returns an empty list, because these receivers cannot restore everything that was read.
    func restoration() -> [ConfigurationJournal.Undo] { [] }

    /// Throws `.unsupported` if `requested` contains a constellation that is not in `switchable`.
    func refuse(
        _ requested: Set<Constellation>, except switchable: [Constellation]
    ) throws(ConfigurationError) {
        if let other = requested.first(where: { !switchable.contains($0) }) {
            throw error(.unsupported, "cannot switch \(other.name) on or off")
        }
    }

    /// Throws `.unsupported` if `requested` contains a setting whose name is not in `names`.
    func refuse(
        _ requested: ReceiverConfiguration, except names: Set<String>
    ) throws(ConfigurationError) {
        for property in ReceiverConfiguration.properties
        where property.value(requested) != nil && !names.contains(property.name) {
            throw unsupported("set \(property.name)", because: "gpsbridge knows no command for it")
        }
    }

    /// Throws `.unsupported` if the requested interval of a sentence is more than `limit` fixes.
    func limitIntervals(
        of requested: ReceiverConfiguration, to limit: Int
    ) throws(ConfigurationError) {
        guard case .list(let list)? = requested.messages,
            list.values.contains(where: { $0 > limit })
        else { return }
        throw error(
            .unsupported, "cannot send a sentence less often than with every \(limit)th fix")
    }

    /// Returns the interval of each sentence in `names`, in the same order; 0 for a sentence that
    /// is not sent. Some manufacturers set all intervals with one command.
    func intervals(
        _ messages: [String: Int], in names: [String]
    ) throws(ConfigurationError) -> [Int] {
        if let unknown = messages.keys.first(where: { !names.contains($0) }) {
            throw error(
                .unsupported, "has no sentence \(unknown)",
                remedy: "use one of " + names.filter { !$0.isEmpty }.joined(separator: ", "))
        }
        return names.map { messages[$0] ?? 0 }
    }

    /// The sentences that the receiver sends, with their intervals in fixes; `nil` if they are not
    /// known.
    var knownMessages: [String: Int]? {
        if case .list(let list)? = state.configuration.messages { list } else { nil }
    }

    /// Converts the milliseconds between fixes that a receiver reports to fixes per second; `nil`
    /// if the text is not a number from 1 to 1,000,000.
    static func rate(ofPeriod text: String?) -> Double? {
        guard let period = text.flatMap({ Double($0) }), 1...1e6 ~= period else { return nil }
        return 1000 / period
    }

    /// Converts a rate in fixes per second to milliseconds between fixes. Throws `.unsupported` if
    /// the result is not in `allowed`.
    private func period(
        _ rate: Double, among allowed: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        let period = Int((1000 / rate).rounded())
        guard allowed.contains(period) else {
            throw impossible(
                rate: rate,
                among: 1000 / Double(allowed.upperBound)...1000 / Double(allowed.lowerBound))
        }
        return period
    }
}

extension Exchange.Outcome {
    /// Returns the fields after `prefix` in the first line that begins with it; `nil` if there is
    /// no such line.
    func fields(of prefix: String) -> [String]? {
        guard case .accepted(let messages) = self else { return nil }
        for case .line(let line) in messages {
            if let fields = line.fields(after: prefix) { return fields }
        }
        return nil
    }
}

/// The steps for settings that each manufacturer changes with a single command. Only the command
/// differs. Each function returns an empty list if `requested` does not change its setting.
extension CommandDialect {
    /// Returns the step that changes a setting. `command` converts a value to the bytes of the
    /// command, for the requested value and for the previous one.
    func settingSteps<Value: Equatable>(
        _ title: String, _ setting: KeyPath<ReceiverConfiguration, Value?>,
        to requested: ReceiverConfiguration, baudRate: Int? = nil, settling: Duration = .zero,
        refusal: String? = nil, command: (Value) throws(ConfigurationError) -> [UInt8]
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        let current = state.configuration[keyPath: setting]
        guard let wanted = requested[keyPath: setting], wanted != current else { return [] }
        return [
            ConfigurationStep(
                title: title, command: try command(wanted), undo: try current.map(command),
                baudRate: baudRate, settling: settling, refusal: refusal)
        ]
    }

    /// Returns the step that changes the baud rate.
    func baudRateSteps(
        to requested: ReceiverConfiguration, command: (Int) throws(ConfigurationError) -> [UInt8]
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        try settingSteps(
            "baud rate", \.baudRate, to: requested, baudRate: requested.baudRate, command: command)
    }

    /// Returns the step that sets the intervals of all sentences with one command. `isObserved` is
    /// `true` if the previous intervals were not read, but derived from the received sentences.
    /// They can then be restored only in part.
    func messagesSteps(
        to requested: ReceiverConfiguration, isObserved: Bool = false, settling: Duration = .zero,
        command: ([String: Int]) throws(ConfigurationError) -> [UInt8]
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        guard let selection = requested.messages else { return [] }
        let wanted = try messages(of: selection)
        guard wanted != knownMessages else { return [] }
        return [
            ConfigurationStep(
                title: "messages", command: try command(wanted),
                undo: try knownMessages.map(command), isUndoPartial: isObserved, settling: settling)
        ]
    }

    /// Returns the step that changes the fix rate. `allowed` and the argument of `command` are in
    /// milliseconds between fixes.
    func rateSteps(
        to requested: ReceiverConfiguration, among allowed: ClosedRange<Int>,
        refusal: String? = nil,
        command: (Int) -> [UInt8]
    ) throws(ConfigurationError) -> [ConfigurationStep] {
        guard let rate = requested.rate, rate != state.configuration.rate else { return [] }
        let period = try period(rate, among: allowed)
        // The chip counts whole milliseconds: for 3 fixes per second, it reports 333.
        let current = state.configuration.rate.flatMap { Int(exactly: (1000 / $0).rounded()) }
        guard period != current else { return [] }
        return [
            ConfigurationStep(
                title: "rate", command: command(period), undo: current.map(command),
                refusal: refusal)
        ]
    }
}
