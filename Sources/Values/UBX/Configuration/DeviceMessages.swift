// SPDX-License-Identifier: MIT

/// Saving, loading and clearing the configuration: `CFG-CFG`.
package struct CfgCFG: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x09)

    package struct Sections: UBXValue {
        package var rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let ports = Sections(rawValue: 0x1)
        /// The output rates of the messages.
        package static let messages = Sections(rawValue: 0x2)
        /// The navigation settings, such as rate and constellations.
        package static let navigation = Sections(rawValue: 0x8)
        package static let all = Sections(rawValue: 0x1F1F)
    }

    /// The sections whose saved values are deleted from the memories, so that the firmware's
    /// defaults apply.
    package var clear = Sections(rawValue: 0)
    /// The sections whose current values are saved in the memories.
    package var save = Sections(rawValue: 0)
    /// The sections whose current values are replaced with the saved values.
    package var load = Sections(rawValue: 0)
    /// The memories to act on, as a one-byte mask: bit 0 battery-backed RAM, bit 1 flash, bit 2
    /// EEPROM, bit 4 SPI flash. If it is empty, the message applies to all memories.
    package var devices: [UInt8] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.value(&clear)
        coder.value(&save)
        coder.value(&load)
        coder.rest(&devices)
    }

    /// A message that saves all sections in battery-backed RAM, flash and EEPROM, but not in SPI
    /// flash.
    package static var saveAll: CfgCFG {
        var message = CfgCFG()
        (message.save, message.devices) = (.all, [0x07])
        return message
    }

    /// A message that deletes all sections from battery-backed RAM, flash and EEPROM, and loads the
    /// firmware's defaults.
    package static var factoryReset: CfgCFG {
        var message = CfgCFG()
        (message.clear, message.load, message.devices) = (.all, .all, [0x07])
        return message
    }
}

/// Restarts the receiver: `CFG-RST`. The receiver does not acknowledge the message.
package struct CfgRST: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x04)

    /// The part of the receiver to restart, and the kind of reset.
    package struct Mode: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Restarts the hardware immediately. A USB device disconnects.
        package static let hardware = Mode(rawValue: 0)
        /// Restarts only the firmware; the hardware keeps running.
        package static let software = Mode(rawValue: 1)
        /// Restarts the GNSS subsystem; the port stays connected.
        package static let gnssOnly = Mode(rawValue: 2)
        /// Shuts the receiver down, and then restarts the hardware.
        package static let shutdown = Mode(rawValue: 4)
        /// Stops the GNSS subsystem.
        package static let stop = Mode(rawValue: 8)
        /// Starts the GNSS subsystem.
        package static let start = Mode(rawValue: 9)
    }

    /// The data to clear: 0 none (hot start), 1 ephemerides (warm start), `0xFFFF` all (cold
    /// start).
    package var clearedData: UInt16 = 0
    /// The part of the receiver to restart, and the kind of reset.
    package var mode = Mode.gnssOnly

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
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
    case motorbike = 10
    /// A lawn mower.
    case mower = 11
    /// An electric scooter.
    case scooter = 12
    /// A train.
    case rail = 13

    /// The name in options and in files.
    package var name: String {
        switch self {
        case .portable: "portable"
        case .stationary: "stationary"
        case .pedestrian: "pedestrian"
        case .automotive: "automotive"
        case .sea: "sea"
        case .airborne1g: "airborne1g"
        case .airborne2g: "airborne2g"
        case .airborne4g: "airborne4g"
        case .wrist: "wrist"
        case .motorbike: "motorbike"
        case .mower: "mower"
        case .scooter: "scooter"
        case .rail: "rail"
        }
    }
}

/// A port of a u-blox chip.
package struct UBXPort: UBXValue {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    private static let i2c = UBXPort(rawValue: 0)
    package static let uart1 = UBXPort(rawValue: 1)
    /// The second UART.
    package static let uart2 = UBXPort(rawValue: 2)
    package static let usb = UBXPort(rawValue: 3)
    private static let spi = UBXPort(rawValue: 4)

    package static let all = [i2c, uart1, uart2, usb, spi]

    /// The port's name in the configuration database, such as `UART1`; `PORT` and the number for an
    /// unknown port.
    package var name: String {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "PORT\(rawValue)"
    }

    /// Whether the port is a UART, which has a baud rate.
    package var isUART: Bool { self == .uart1 || self == .uart2 }

    private static let names = ["I2C", "UART1", "UART2", "USB", "SPI"]
}

/// The protocols of a port in `CFG-PRT`.
package struct UBXProtocols: UBXValue, OptionSet {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// u-blox's binary protocol.
    package static let ubx = UBXProtocols(rawValue: 0x1)
    package static let nmea = UBXProtocols(rawValue: 0x2)
    /// RTCM 2, only as input.
    package static let rtcm2 = UBXProtocols(rawValue: 0x4)
    package static let rtcm3 = UBXProtocols(rawValue: 0x20)
}
