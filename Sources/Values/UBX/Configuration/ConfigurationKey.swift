// SPDX-License-Identifier: MIT
import GNSS

/// A key of the configuration database of M9, F9, M10 and later chips.
///
/// Bits 28 to 30 encode the size of the value, bits 16 to 23 are the group, and bits 0 to 11 the
/// item within the group.
public struct ConfigurationKey: RawRepresentable, Hashable, Sendable {
    /// The number of the key.
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a key from its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// The size of the value in bytes; 0 if this is not a valid key.
    public var size: Int {
        switch rawValue >> 28 & 7 {
        case 1, 2: 1
        case 3: 2
        case 4: 4
        case 5: 8
        default: 0
        }
    }

    /// Whether the value is either 0 or 1.
    public var isSwitch: Bool { rawValue >> 28 & 7 == 1 }

    /// The group of the key, such as `0x31` for signals.
    public var group: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }

    /// The item within the group. `0xFFF` requests all items.
    public var item: UInt16 { UInt16(truncatingIfNeeded: rawValue & 0xFFF) }

    /// Returns the key that requests all items of a group.
    public static func wholeGroup(_ group: UInt8) -> ConfigurationKey {
        ConfigurationKey(0x1000_FFFF | UInt32(group) << 16)
    }

    /// The key that requests all items of all groups.
    public static let everything = ConfigurationKey(0x0FFF_FFFF)

    /// Whether the key requests all items of a group, or of all groups.
    package var isWildcard: Bool { item == 0xFFF }

    /// Returns whether a request for this key includes another key.
    package func includes(_ key: ConfigurationKey) -> Bool {
        isWildcard ? group == 0xFF || group == key.group : self == key
    }

    /// The number of the key as four bytes, as in a message.
    public var bytes: [UInt8] { rawValue.littleEndianBytes }

    /// Reads keys. Returns `nil` if the data ends inside a key.
    static func keys(of data: [UInt8]) -> [ConfigurationKey]? {
        guard data.count.isMultiple(of: 4) else { return nil }
        return stride(from: 0, to: data.count, by: 4).map {
            ConfigurationKey(UInt32(littleEndianBytes: data[$0..<$0 + 4]))
        }
    }

    /// Whether setting the key could permanently disable the chip. Such a key is never sent.
    public var isForbidden: Bool {
        [0x10F6_0009, 0x30F6_000A, 0x30F6_000B].contains(rawValue)
    }
}
