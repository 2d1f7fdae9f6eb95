// SPDX-License-Identifier: MIT

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
