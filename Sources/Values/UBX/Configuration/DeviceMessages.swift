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
