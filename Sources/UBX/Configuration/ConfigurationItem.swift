// SPDX-License-Identifier: MIT

/// A key of the configuration database and its value.
public struct ConfigurationItem: Hashable, Sendable {
    /// The key.
    public var key: ConfigurationKey
    /// The value in as many bytes as the key has; signed values as two's complement.
    public var value: UInt64

    /// Creates an item.
    public init(_ key: ConfigurationKey, _ value: UInt64) {
        (self.key, self.value) = (key, value)
    }

    /// Creates an item of a key that is on or off.
    public init(_ key: ConfigurationKey, _ isOn: Bool) { self.init(key, isOn ? 1 : 0) }

    /// The value with its sign.
    public var signedValue: Int64 {
        let shift = 64 - UInt64(max(key.size, 1)) * 8
        return Int64(bitPattern: value << shift) >> Int64(shift)
    }

    /// The bytes on the wire.
    public var bytes: [UInt8] {
        key.bytes + (0..<key.size).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }

    /// Reads items; `nil` if a key has no size, or the data ends within an item.
    static func items(of data: [UInt8]) -> [ConfigurationItem]? {
        var items: [ConfigurationItem] = []
        var rest = data[...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let key = ConfigurationKey(littleEndian: rest.prefix(4))
            rest = rest.dropFirst(4)
            guard key.size > 0, rest.count >= key.size else { return nil }
            var value: UInt64 = 0
            for (index, byte) in rest.prefix(key.size).enumerated() {
                value |= UInt64(byte) << UInt64(index * 8)
            }
            items.append(ConfigurationItem(key, value))
            rest = rest.dropFirst(key.size)
        }
        return items
    }
}
