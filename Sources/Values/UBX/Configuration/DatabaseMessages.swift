// SPDX-License-Identifier: MIT
import GNSS

/// Deletes configuration values from the battery-backed memory or flash, for M9, F9, M10 and later
/// chips: `CFG-VALDEL`.
public struct CfgVALDEL: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x8C)

    /// The version: 0 without a transaction, 1 with one.
    public var version: UInt8 = 0
    /// The layers to delete from.
    public var layers = ConfigurationLayers.battery
    /// The step of a transaction. It has no meaning in version 0.
    public var transaction = ConfigurationTransaction.none
    /// The keys to delete, encoded as in the message; see `keys`.
    public var data: [UInt8] = []

    public init() {}

    /// Creates a message without a transaction.
    public init(_ keys: [ConfigurationKey], layers: ConfigurationLayers) {
        self.layers = layers
        data = keys.flatMap(\.bytes)
    }

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layers)
        coder.value(&transaction)
        coder.reserved(1)
        coder.rest(&data)
    }

    /// The decoded keys; `nil` if the data is malformed.
    public var keys: [ConfigurationKey]? { ConfigurationKey.keys(of: data) }
}

/// A request for configuration values, or the answer to it, for M9, F9, M10 and later chips:
/// `CFG-VALGET`.
public struct CfgVALGET: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x8B)

    /// The maximum number of keys in a request, or of values in an answer.
    public static let maximumItems = 64

    /// The version: 0 for a request, 1 for an answer.
    public var version: UInt8 = 0
    /// The layer to read.
    public var layer = ConfigurationLayer.ram
    /// The number of values to skip, if a request matches more values than fit into one answer.
    public var position: UInt16 = 0
    /// The keys of a request, or the keys and values of an answer, encoded as in the message; see
    /// `keys` and `items`.
    public var data: [UInt8] = []

    public init() {}

    /// Creates a request.
    public init(
        _ keys: [ConfigurationKey], layer: ConfigurationLayer = .ram, position: UInt16 = 0
    ) {
        self.layer = layer
        self.position = position
        data = keys.flatMap(\.bytes)
    }

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layer)
        coder.integer(&position)
        coder.rest(&data)
    }

    /// The keys of a request; `nil` if the data is malformed.
    public var keys: [ConfigurationKey]? { ConfigurationKey.keys(of: data) }

    /// The values of an answer; `nil` if the data is malformed.
    public var items: [ConfigurationItem]? { ConfigurationItem.items(of: data) }
}

/// Sets configuration values, for M9, F9, M10 and later chips: `CFG-VALSET`. The chip sets either
/// all values or none.
public struct CfgVALSET: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x8A)

    /// The maximum number of values in a message.
    public static let maximumItems = 64

    /// The version: 0 without a transaction, 1 with one.
    public var version: UInt8 = 0
    /// The layers to set.
    public var layers = ConfigurationLayers.ram
    /// The step of a transaction. It has no meaning in version 0.
    public var transaction = ConfigurationTransaction.none
    /// The keys, each followed by its value, encoded as in the message; see `items`.
    public var data: [UInt8] = []

    public init() {}

    /// Creates a message without a transaction.
    public init(_ items: [ConfigurationItem], layers: ConfigurationLayers = .ram) {
        self.layers = layers
        data = items.flatMap(\.bytes)
    }

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layers)
        coder.value(&transaction)
        coder.reserved(1)
        coder.rest(&data)
    }

    /// The values; `nil` if the data is malformed.
    public var items: [ConfigurationItem]? { ConfigurationItem.items(of: data) }
}

/// A key of the configuration database and its value.
public struct ConfigurationItem: Hashable, Sendable {
    /// The key that the value belongs to.
    public var key: ConfigurationKey
    /// The value. Its number of bytes depends on the key; signed values are in two's complement.
    public var value: UInt64

    /// Creates an item.
    public init(_ key: ConfigurationKey, _ value: UInt64) {
        (self.key, self.value) = (key, value)
    }

    /// Creates an item for a key with a Boolean value.
    public init(_ key: ConfigurationKey, _ isOn: Bool) { self.init(key, isOn ? 1 : 0) }

    /// The value as a signed number of the key's size.
    public var signedValue: Int64 {
        let shift = 64 - UInt64(max(key.size, 1)) * 8
        return Int64(bitPattern: value << shift) >> Int64(shift)
    }

    /// The key and the value as bytes, as in a message.
    public var bytes: [UInt8] {
        key.bytes + value.littleEndianBytes.prefix(key.size)
    }

    /// Reads items. Returns `nil` if a key has no size, or if the data ends inside an item.
    static func items(of data: [UInt8]) -> [ConfigurationItem]? {
        var items: [ConfigurationItem] = []
        var rest = data[...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let key = ConfigurationKey(UInt32(littleEndianBytes: rest.prefix(4)))
            rest = rest.dropFirst(4)
            guard key.size > 0, rest.count >= key.size else { return nil }
            let value = UInt64(littleEndianBytes: rest.prefix(key.size))
            items.append(ConfigurationItem(key, value))
            rest = rest.dropFirst(key.size)
        }
        return items
    }
}

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
