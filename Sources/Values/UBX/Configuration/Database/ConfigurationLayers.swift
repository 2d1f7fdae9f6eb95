// SPDX-License-Identifier: MIT

/// A set of layers that `CFG-VALSET` and `CFG-VALDEL` change.
public struct ConfigurationLayers: UBXValue, OptionSet {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The values in effect, until the next reset.
    public static let ram = ConfigurationLayers(rawValue: 1)
    /// The battery-backed memory. It keeps its values as long as the backup battery supplies power.
    public static let battery = ConfigurationLayers(rawValue: 2)
    /// The flash memory, which few modules have.
    public static let flash = ConfigurationLayers(rawValue: 4)
}

/// A layer that `CFG-VALGET` reads.
public struct ConfigurationLayer: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The values in effect.
    public static let ram = ConfigurationLayer(rawValue: 0)
    /// The battery-backed memory. It keeps its values as long as the backup battery supplies power.
    public static let battery = ConfigurationLayer(rawValue: 1)
    /// The flash memory, which few modules have.
    public static let flash = ConfigurationLayer(rawValue: 2)
    /// The firmware's default values.
    public static let defaults = ConfigurationLayer(rawValue: 7)
}

/// A step of a transaction that consists of several `CFG-VALSET` or `CFG-VALDEL` messages.
public struct ConfigurationTransaction: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// No transaction: the message takes effect immediately.
    public static let none = ConfigurationTransaction(rawValue: 0)
    /// Starts a transaction and drops an earlier one that was not applied.
    public static let start = ConfigurationTransaction(rawValue: 1)
    /// Adds values to a transaction.
    public static let goOn = ConfigurationTransaction(rawValue: 2)
    /// Applies the transaction.
    public static let apply = ConfigurationTransaction(rawValue: 3)
}
