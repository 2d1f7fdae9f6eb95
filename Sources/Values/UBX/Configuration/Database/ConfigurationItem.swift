// SPDX-License-Identifier: MIT
import GNSS

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
