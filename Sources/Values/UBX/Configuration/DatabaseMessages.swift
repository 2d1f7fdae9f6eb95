// SPDX-License-Identifier: MIT
import GNSS

/// Deletes configuration values from the battery-backed memory or flash, for M9, F9, M10 and later
/// chips: `CFG-VALDEL`.
package struct CfgVALDEL: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x8C)

    /// The version: 0 without a transaction, 1 with one.
    package var version: UInt8 = 0
    package var layers = ConfigurationLayers.battery
    /// The step of a transaction. It has no meaning in version 0.
    package var transaction = ConfigurationTransaction.none
    /// The keys to delete, encoded as in the message; see `keys`.
    package var data: [UInt8] = []

    package init() {}

    /// Creates a message without a transaction.
    package init(_ keys: [ConfigurationKey], layers: ConfigurationLayers) {
        self.layers = layers
        data = keys.flatMap(\.bytes)
    }

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layers)
        coder.value(&transaction)
        coder.reserved(1)
        coder.rest(&data)
    }

    /// The decoded keys; `nil` if the data is malformed.
    package var keys: [ConfigurationKey]? { ConfigurationKey.keys(of: data) }
}

/// A request for configuration values, or the answer to it, for M9, F9, M10 and later chips:
/// `CFG-VALGET`.
package struct CfgVALGET: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x8B)

    /// The maximum number of keys in a request, or of values in an answer.
    package static let maximumItems = 64

    /// The version: 0 for a request, 1 for an answer.
    package var version: UInt8 = 0
    package var layer = ConfigurationLayer.ram
    /// The number of values to skip, if a request matches more values than fit into one answer.
    package var position: UInt16 = 0
    /// The keys of a request, or the keys and values of an answer, encoded as in the message; see
    /// `keys` and `items`.
    package var data: [UInt8] = []

    package init() {}

    package init(
        _ keys: [ConfigurationKey], layer: ConfigurationLayer = .ram, position: UInt16 = 0
    ) {
        self.layer = layer
        self.position = position
        data = keys.flatMap(\.bytes)
    }

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layer)
        coder.integer(&position)
        coder.rest(&data)
    }

    /// The keys of a request; `nil` if the data is malformed.
    package var keys: [ConfigurationKey]? { ConfigurationKey.keys(of: data) }

    /// The values of an answer; `nil` if the data is malformed.
    package var items: [ConfigurationItem]? { ConfigurationItem.items(of: data) }
}

/// Sets configuration values, for M9, F9, M10 and later chips: `CFG-VALSET`. The chip sets either
/// all values or none.
package struct CfgVALSET: UBXMessage {
    package static let id = UBXMessageID(0x06, 0x8A)

    package static let maximumItems = 64

    /// The version: 0 without a transaction, 1 with one.
    package var version: UInt8 = 0
    package var layers = ConfigurationLayers.ram
    /// The step of a transaction. It has no meaning in version 0.
    package var transaction = ConfigurationTransaction.none
    /// The keys, each followed by its value, encoded as in the message; see `items`.
    package var data: [UInt8] = []

    package init() {}

    /// Creates a message without a transaction.
    package init(_ items: [ConfigurationItem], layers: ConfigurationLayers = .ram) {
        self.layers = layers
        data = items.flatMap(\.bytes)
    }

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layers)
        coder.value(&transaction)
        coder.reserved(1)
        coder.rest(&data)
    }

    /// The values; `nil` if the data is malformed.
    package var items: [ConfigurationItem]? { ConfigurationItem.items(of: data) }
}

/// A key of the configuration database and its value.
package struct ConfigurationItem: Hashable, Sendable {
    package var key: ConfigurationKey
    /// The value. Its number of bytes depends on the key; signed values are in two's complement.
    package var value: UInt64

    package init(_ key: ConfigurationKey, _ value: UInt64) {
        (self.key, self.value) = (key, value)
    }

    package init(_ key: ConfigurationKey, _ isOn: Bool) { self.init(key, isOn ? 1 : 0) }

    /// The value as a signed number of the key's size.
    package var signedValue: Int64 {
        let shift = 64 - UInt64(max(key.size, 1)) * 8
        return Int64(bitPattern: value << shift) >> Int64(shift)
    }

    /// The key and the value as bytes, as in a message.
    package var bytes: [UInt8] {
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
package struct ConfigurationLayers: UBXValue, OptionSet {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The values in effect, until the next reset.
    package static let ram = ConfigurationLayers(rawValue: 1)
    /// The battery-backed memory. It keeps its values as long as the backup battery supplies power.
    package static let battery = ConfigurationLayers(rawValue: 2)
    /// The flash memory, which few modules have.
    package static let flash = ConfigurationLayers(rawValue: 4)
}

/// A layer that `CFG-VALGET` reads.
package struct ConfigurationLayer: UBXValue {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The values in effect.
    package static let ram = ConfigurationLayer(rawValue: 0)
    /// The battery-backed memory. It keeps its values as long as the backup battery supplies power.
    package static let battery = ConfigurationLayer(rawValue: 1)
    /// The flash memory, which few modules have.
    package static let flash = ConfigurationLayer(rawValue: 2)
    /// The firmware's default values.
    package static let defaults = ConfigurationLayer(rawValue: 7)
}

/// A step of a transaction that consists of several `CFG-VALSET` or `CFG-VALDEL` messages.
package struct ConfigurationTransaction: UBXValue {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// No transaction: the message takes effect immediately.
    package static let none = ConfigurationTransaction(rawValue: 0)
    /// Starts a transaction and drops an earlier one that was not applied.
    package static let start = ConfigurationTransaction(rawValue: 1)
    package static let goOn = ConfigurationTransaction(rawValue: 2)
    package static let apply = ConfigurationTransaction(rawValue: 3)
}
