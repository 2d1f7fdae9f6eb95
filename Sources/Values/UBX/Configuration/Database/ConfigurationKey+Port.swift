// SPDX-License-Identifier: MIT
import GNSS

extension ConfigurationKey {
    /// A protocol of a port. The raw value is the item number of the protocol's keys within a
    /// group.
    public enum PortProtocol: UInt32, CaseIterable, Sendable {
        /// u-blox's binary protocol.
        case ubx = 1
        /// NMEA sentences.
        case nmea = 2
        /// RTCM 2, only as input.
        case rtcm2 = 3
        /// RTCM 3 messages.
        case rtcm3 = 4
        /// SPARTN, only as input.
        case spartn = 5

        var name: String {
            switch self {
            case .ubx: "UBX"
            case .nmea: "NMEA"
            case .rtcm2: "RTCM2X"
            case .rtcm3: "RTCM3X"
            case .spartn: "SPARTN"
            }
        }
    }

    /// Returns the key that enables a protocol as input of a port.
    public static func input(_ protocol: PortProtocol, on port: UBXPort) -> ConfigurationKey {
        ConfigurationKey(0x1071_0000 + UInt32(port.rawValue) << 17 + `protocol`.rawValue)
    }

    /// Returns the key that enables a protocol as output of a port.
    public static func output(_ protocol: PortProtocol, on port: UBXPort) -> ConfigurationKey {
        ConfigurationKey(0x1072_0000 + UInt32(port.rawValue) << 17 + `protocol`.rawValue)
    }

    /// Returns the key for the baud rate of a UART; `nil` for other ports.
    public static func baudRate(of port: UBXPort) -> ConfigurationKey? {
        switch port {
        case .uart1: ConfigurationKey(0x4052_0001)
        case .uart2: ConfigurationKey(0x4053_0001)
        default: nil
        }
    }

    /// The name of the key, such as `CFG-RATE-MEAS`, or its number in hexadecimal digits if it has
    /// no known name.
    public var name: String {
        if let name = Self.names[self] { return "CFG-\(name)" }
        if let signal = (SignalKey.constellations + SignalKey.signals).first(where: {
            $0.key == self
        }) {
            return "CFG-SIGNAL-\(signal.name)_ENA"
        }
        if let (message, port) = MessageOutput.output(of: self) {
            return "CFG-MSGOUT-\(message.name)_\(port.name)"
        }
        for port in UBXPort.all {
            if self == Self.baudRate(of: port) { return "CFG-\(port.name)-BAUDRATE" }
            for kind in PortProtocol.allCases {
                if self == .input(kind, on: port) { return "CFG-\(port.name)INPROT-\(kind.name)" }
                if self == .output(kind, on: port) { return "CFG-\(port.name)OUTPROT-\(kind.name)" }
            }
        }
        return "0x" + String(hexadecimal: UInt64(rawValue), width: 8, isUppercase: true)
    }
}
