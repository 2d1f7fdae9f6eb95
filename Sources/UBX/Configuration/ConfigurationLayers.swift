// SPDX-License-Identifier: MIT

/// Layers that `CFG-VALSET` and `CFG-VALDEL` change.
public struct ConfigurationLayers: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The values in effect, until the next reset.
    public static let ram = ConfigurationLayers(rawValue: 1)
    /// Memory that lasts while the backup battery does.
    public static let battery = ConfigurationLayers(rawValue: 2)
    /// Flash, which few modules have.
    public static let flash = ConfigurationLayers(rawValue: 4)

    /// The layers of both.
    public func union(_ other: Self) -> Self { Self(rawValue: rawValue | other.rawValue) }
    /// Whether all layers of `other` are among them.
    public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
}

/// A layer that `CFG-VALGET` reads.
public struct ConfigurationLayer: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The values in effect.
    public static let ram = ConfigurationLayer(rawValue: 0)
    /// Memory that lasts while the backup battery does.
    public static let battery = ConfigurationLayer(rawValue: 1)
    /// Flash, which few modules have.
    public static let flash = ConfigurationLayer(rawValue: 2)
    /// The values of the firmware.
    public static let defaults = ConfigurationLayer(rawValue: 7)
}

/// A step of a transaction of `CFG-VALSET` or `CFG-VALDEL`.
public struct ConfigurationTransaction: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// No transaction: the message takes effect at once.
    public static let none = ConfigurationTransaction(rawValue: 0)
    /// Starts a transaction; drops one that was not applied.
    public static let start = ConfigurationTransaction(rawValue: 1)
    /// Adds to a transaction.
    public static let goOn = ConfigurationTransaction(rawValue: 2)
    /// Applies the transaction.
    public static let apply = ConfigurationTransaction(rawValue: 3)
}
