// SPDX-License-Identifier: MIT

/// A port of a u-blox chip.
public struct UBXPort: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The I2C port.
    public static let i2c = UBXPort(rawValue: 0)
    /// The first UART.
    public static let uart1 = UBXPort(rawValue: 1)
    /// The second UART.
    public static let uart2 = UBXPort(rawValue: 2)
    /// The USB port.
    public static let usb = UBXPort(rawValue: 3)
    /// The SPI port.
    public static let spi = UBXPort(rawValue: 4)

    /// All ports.
    public static let all = [i2c, uart1, uart2, usb, spi]

    /// The port's name in the configuration database, such as `UART1`; `PORT` and the number for an
    /// unknown port.
    public var name: String {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "PORT\(rawValue)"
    }

    /// Whether the port is a UART, which has a baud rate.
    public var isUART: Bool { self == .uart1 || self == .uart2 }

    private static let names = ["I2C", "UART1", "UART2", "USB", "SPI"]
}

/// The protocols of a port in `CFG-PRT`.
public struct UBXProtocols: UBXValue, OptionSet {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// u-blox's binary protocol.
    public static let ubx = UBXProtocols(rawValue: 0x1)
    /// NMEA sentences.
    public static let nmea = UBXProtocols(rawValue: 0x2)
    /// RTCM 2, only as input.
    public static let rtcm2 = UBXProtocols(rawValue: 0x4)
    /// RTCM 3 messages.
    public static let rtcm3 = UBXProtocols(rawValue: 0x20)
}
