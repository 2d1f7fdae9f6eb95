// SPDX-License-Identifier: MIT
import GNSS

/// A receiver that sends sentences and answers no question about its version, such as a SiRF chip.
/// Only its baud rate is changed, with SiRF's command, which other chips ignore.
struct UnidentifiedDialect: CommandDialect {
    var state = ReceiverState(.unidentified)
    var queue: [Exchange] = []

    /// Asks for one GGA sentence. A receiver that sends GGA anyway has the line's rate, too.
    var probe: Exchange {
        Exchange(TextLine.sentence("PSRF103,00,01,00,01"), attempts: 3)
    }

    mutating func beginReading(storedValues: Bool, line: ConfigurationLine) {
        state.configuration = ReceiverConfiguration()
        state.configuration.baudRate = line.baudRate
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {}

    func steps(to wish: ReceiverConfiguration) throws(ConfigurationError) -> [ConfigurationStep] {
        try refuse(wish, except: ["baud"])
        guard let baudRate = wish.baudRate, baudRate != state.configuration.baudRate else {
            return []
        }
        return [
            ConfigurationStep(
                title: "baud rate", command: command(baudRate),
                undo: state.configuration.baudRate.map(command), baudRate: baudRate)
        ]
    }

    /// Protocol 1 is NMEA; 0 would be SiRF binary.
    private func command(_ baudRate: Int) -> [UInt8] {
        TextLine.sentence("PSRF100,1,\(baudRate),8,1,0")
    }

    func savings(
        of wish: ReceiverConfiguration
    ) throws(ConfigurationError) -> [ConfigurationSaving] {
        throw error(.unsupported, "no command to save its settings is known")
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        throw error(.unsupported, "no command to restart it is known")
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        throw error(.unsupported, "no command to reset it is known")
    }
}
