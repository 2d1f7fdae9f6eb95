// SPDX-License-Identifier: MIT

/// The dialect of a receiver that sends sentences but does not answer requests for its version,
/// such as a SiRF chip. Only its baud rate is changed, with SiRF's command, which other chips
/// ignore.
struct UnidentifiedDialect: CommandDialect {
    var state = ReceiverState(.unidentified)
    var queue: [Exchange] = []

    /// A request for one GGA sentence. If the receiver sends GGA anyway, this also shows that the
    /// baud rate is correct.
    var probe: Exchange {
        Exchange(TextLine.sentence("PSRF103,00,01,00,01"), attempts: 3)
    }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        state.configuration = ReceiverConfiguration()
        state.configuration.baudRate = line.baudRate
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {}

    func steps(to requested: ReceiverConfiguration) throws(ConfigurationError)
        -> [ConfigurationStep]
    {
        try refuse(requested, except: ["baud"])
        return try baudRateSteps(to: requested, command: command)
    }

    /// Returns SiRF's command that sets the baud rate and NMEA output (protocol 1; protocol 0 is
    /// SiRF binary).
    private func command(_ baudRate: Int) -> [UInt8] {
        TextLine.sentence("PSRF100,1,\(baudRate),8,1,0")
    }

    func savings(
        of request: ConfigurationRequest
    ) throws(ConfigurationError) -> [ConfigurationSaving] {
        throw error(.unsupported, "gpsbridge knows no command to save its settings")
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        throw error(.unsupported, "gpsbridge knows no command to restart it")
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        throw error(.unsupported, "gpsbridge knows no command to reset it")
    }
}
