// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension UBXDatabaseDialect {
    /// Returns the settings that correspond to values of the receiver's configuration database.
    func configuration(of values: [ConfigurationKey: UInt64]) -> ReceiverConfiguration {
        var configuration = ReceiverConfiguration()
        if let period = values[.measurementPeriod], period > 0 {
            let ratio = max(values[.navigationRatio] ?? 1, 1)
            configuration.rate = 1000 / Double(period * ratio)
        }
        if let port, let key = ConfigurationKey.baudRate(of: port) {
            configuration.baudRate = values[key].map { Int($0) }
        }
        let enabled = SignalKey.constellations.filter { values[$0.key] == 1 }
        if SignalKey.constellations.contains(where: { values[$0.key] != nil }) {
            configuration.constellations = Set(enabled.compactMap(\.constellation))
        }
        configuration.messages = messages(of: values)
        configuration.dynamics = values[.dynamicModel].flatMap {
            DynamicModel(rawValue: UInt8(truncatingIfNeeded: $0))
        }
        configuration.minimumElevation = values[.minimumElevation].map {
            Int(ConfigurationItem(.minimumElevation, $0).signedValue)
        }
        configuration.nmeaVersion = values[.nmeaVersion].flatMap { number in
            Self.nmeaVersions.first { $0.value == number }?.key
        }
        configuration.staticHoldSpeed = values[.staticHoldSpeed].map { Double($0) / 100 }
        configuration.autonomousAssistance = values[.autonomousAssistance].map { $0 == 1 }
        return configuration
    }

    private func messages(of values: [ConfigurationKey: UInt64]) -> MessageSelection? {
        guard let port else { return nil }
        var list: [String: Int] = [:]
        var isKnown = false
        for output in MessageOutput.all {
            guard let interval = values[output.key(on: port)] else { continue }
            isKnown = true
            let isOn = values[.output(output.isSentence ? .nmea : .ubx, on: port)] != 0
            if interval > 0, isOn { list[UBXMessageNames.name(output)] = Int(interval) }
        }
        return isKnown ? .list(list) : nil
    }

    /// Returns the ports whose protocols are among the values, with their baud rates.
    func ports(of values: [ConfigurationKey: UInt64]) -> [ReceiverState.Port] {
        UBXPort.all.compactMap { port in
            let kinds = ConfigurationKey.PortProtocol.allCases
            guard kinds.contains(where: { values[.input($0, on: port)] != nil }) else { return nil }
            return ReceiverState.Port(
                name: port.name,
                baudRate: ConfigurationKey.baudRate(of: port).flatMap { values[$0] }.map(Int.init),
                input: kinds.filter { values[.input($0, on: port)] == 1 }.map { "\($0)" },
                output: kinds.filter { values[.output($0, on: port)] == 1 }.map { "\($0)" })
        }
    }

    static let nmeaVersions: [NMEAVersion: UInt64] = [
        .v2_1: 21, .v2_3: 23, .v4_0: 40, .v4_10: 41, .v4_11: 42,
    ]

    /// The highest number of fixes per second of this generation of chips.
    var largestRate: Double {
        switch state.identity.leastProtocolVersion {
        case ..<32: 20
        case ..<40: 25
        case ..<50: 20
        default: 25
        }
    }
}
