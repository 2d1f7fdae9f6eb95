// SPDX-License-Identifier: MIT

/// Saving, loading and clearing the configuration: `CFG-CFG`.
public struct CfgCFG: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x09)

    /// The sections of the configuration.
    public struct Sections: UBXValue {
        public var rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The settings of the ports.
        public static let ports = Sections(rawValue: 0x1)
        /// The output rates of the messages.
        public static let messages = Sections(rawValue: 0x2)
        /// The navigation settings, such as rate and constellations.
        public static let navigation = Sections(rawValue: 0x8)
        /// All sections.
        public static let all = Sections(rawValue: 0x1F1F)
    }

    /// The sections whose saved values are deleted from the memories, so that the firmware's
    /// defaults apply.
    public var clear = Sections(rawValue: 0)
    /// The sections whose current values are saved in the memories.
    public var save = Sections(rawValue: 0)
    /// The sections whose current values are replaced with the saved values.
    public var load = Sections(rawValue: 0)
    /// The memories to act on, as a one-byte mask: bit 0 battery-backed RAM, bit 1 flash, bit 2
    /// EEPROM, bit 4 SPI flash. If it is empty, the message applies to all memories.
    public var devices: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.value(&clear)
        coder.value(&save)
        coder.value(&load)
        coder.rest(&devices)
    }

    /// A message that saves all sections in battery-backed RAM, flash and EEPROM, but not in SPI
    /// flash.
    public static var saveAll: CfgCFG {
        var message = CfgCFG()
        (message.save, message.devices) = (.all, [0x07])
        return message
    }

    /// A message that deletes all sections from battery-backed RAM, flash and EEPROM, and loads the
    /// firmware's defaults.
    public static var factoryReset: CfgCFG {
        var message = CfgCFG()
        (message.clear, message.load, message.devices) = (.all, .all, [0x07])
        return message
    }
}

/// Restarts the receiver: `CFG-RST`. The receiver does not acknowledge the message.
public struct CfgRST: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x04)

    /// The part of the receiver to restart, and the kind of reset.
    public struct Mode: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Restarts the hardware immediately. A USB device disconnects.
        public static let hardware = Mode(rawValue: 0)
        /// Restarts only the firmware; the hardware keeps running.
        public static let software = Mode(rawValue: 1)
        /// Restarts the GNSS subsystem; the port stays connected.
        public static let gnssOnly = Mode(rawValue: 2)
        /// Shuts the receiver down, and then restarts the hardware.
        public static let shutdown = Mode(rawValue: 4)
        /// Stops the GNSS subsystem.
        public static let stop = Mode(rawValue: 8)
        /// Starts the GNSS subsystem.
        public static let start = Mode(rawValue: 9)
    }

    /// The data to clear: 0 none (hot start), 1 ephemerides (warm start), `0xFFFF` all (cold
    /// start).
    public var clearedData: UInt16 = 0
    /// The part of the receiver to restart, and the kind of reset.
    public var mode = Mode.gnssOnly

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&clearedData)
        coder.value(&mode)
        coder.reserved(1)
    }
}

/// The kind of motion that a receiver is configured to expect (u-blox's dynamic platform model).
public enum DynamicModel: UInt8, CaseIterable, Sendable {
    /// Any motion with low acceleration.
    case portable = 0
    /// No motion.
    case stationary = 2
    /// A pedestrian.
    case pedestrian = 3
    /// A car.
    case automotive = 4
    /// A ship, at sea level.
    case sea = 5
    /// An aircraft with an acceleration of less than 1 g.
    case airborne1g = 6
    /// An aircraft with an acceleration of less than 2 g.
    case airborne2g = 7
    /// An aircraft with an acceleration of less than 4 g.
    case airborne4g = 8
    /// A watch worn on the wrist.
    case wrist = 9
    /// A motorbike.
    case motorbike = 10
    /// A lawn mower.
    case mower = 11
    /// An electric scooter.
    case scooter = 12
    /// A train.
    case rail = 13
}

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
