// SPDX-License-Identifier: MIT

/// Saving, loading and clearing the configuration: `CFG-CFG`.
public struct CfgCFG: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x09)

    /// Parts of the configuration.
    public struct Sections: UBXValue {
        public var rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Settings of the ports.
        public static let ports = Sections(rawValue: 0x1)
        /// Rates of the messages.
        public static let messages = Sections(rawValue: 0x2)
        /// Navigation: rate, constellations and the like.
        public static let navigation = Sections(rawValue: 0x8)
        /// Everything.
        public static let all = Sections(rawValue: 0x1F1F)
    }

    /// The sections that are reset to the firmware's values in the memories.
    public var clear = Sections(rawValue: 0)
    /// The sections that are saved.
    public var save = Sections(rawValue: 0)
    /// The sections that are loaded from the memories.
    public var load = Sections(rawValue: 0)
    /// The memories, one byte: bits 0 battery-backed, 1 flash, 2 EEPROM, 4 SPI flash; empty means all.
    public var devices: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.value(&clear)
        coder.value(&save)
        coder.value(&load)
        coder.rest(&devices)
    }

    /// A message that saves everything in each memory that the module has.
    public static var saveAll: CfgCFG {
        var message = CfgCFG()
        (message.save, message.devices) = (.all, [0x07])
        return message
    }

    /// A message that returns to the values of the firmware.
    public static var factoryReset: CfgCFG {
        var message = CfgCFG()
        (message.clear, message.load, message.devices) = (.all, .all, [0x07])
        return message
    }
}
