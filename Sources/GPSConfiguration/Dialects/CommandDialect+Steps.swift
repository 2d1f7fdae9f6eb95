// SPDX-License-Identifier: MIT

/// Steps that are the same for all manufacturers, except for the command.
extension CommandDialect {
    /// Returns the step that changes the baud rate; `nil` if `requested` does not change it.
    func baudRateStep(
        to requested: ReceiverConfiguration, command: (Int) -> [UInt8]
    ) -> ConfigurationStep? {
        let current = state.configuration.baudRate
        guard let baudRate = requested.baudRate, baudRate != current else { return nil }
        return ConfigurationStep(
            title: "baud rate", command: command(baudRate), undo: current.map(command),
            baudRate: baudRate)
    }

    /// Returns the step that sets the intervals of all sentences with one command; `nil` if
    /// `requested` does not change them.
    func messagesStep(
        to requested: ReceiverConfiguration, settling: Duration = .zero,
        command: ([String: Int]) throws(ConfigurationError) -> [UInt8]
    ) throws(ConfigurationError) -> ConfigurationStep? {
        guard let selection = requested.messages else { return nil }
        let wanted = try messages(of: selection)
        guard wanted != knownMessages else { return nil }
        return ConfigurationStep(
            title: "messages", command: try command(wanted), undo: try knownMessages.map(command),
            settling: settling)
    }

    /// Returns the step that changes the fix rate; `nil` if `requested` does not change it.
    /// `allowed` and the argument of `command` are in milliseconds between fixes.
    func rateStep(
        to requested: ReceiverConfiguration, among allowed: ClosedRange<Int>,
        refusal: String? = nil, command: (Int) -> [UInt8]
    ) throws(ConfigurationError) -> ConfigurationStep? {
        let current = state.configuration.rate
        guard let rate = requested.rate, rate != current else { return nil }
        let period = try period(rate, among: allowed)
        return ConfigurationStep(
            title: "rate", command: command(period),
            undo: current.flatMap { Int(exactly: (1000 / $0).rounded()) }.map(command),
            refusal: refusal)
    }
}
