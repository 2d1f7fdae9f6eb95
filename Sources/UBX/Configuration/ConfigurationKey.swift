// SPDX-License-Identifier: MIT

/// A key of the configuration database of M9, F9, M10 and later chips.
///
/// Bits 28 to 30 are its size, 16 to 23 its group, and 0 to 11 its item.
public struct ConfigurationKey: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a key of its number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    init(littleEndian bytes: some Sequence<UInt8>) {
        rawValue = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The number of bytes of its value; 0 for a number that is not a key.
    public var size: Int {
        switch rawValue >> 28 & 7 {
        case 1, 2: 1
        case 3: 2
        case 4: 4
        case 5: 8
        default: 0
        }
    }

    /// Whether its value is 0 or 1.
    public var isSwitch: Bool { rawValue >> 28 & 7 == 1 }

    /// The group: `0x31` for signals.
    public var group: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }

    /// The item within the group; `0xFFF` asks for all items.
    public var item: UInt16 { UInt16(truncatingIfNeeded: rawValue & 0xFFF) }

    /// A request for all items of the group.
    public static func wholeGroup(_ group: UInt8) -> ConfigurationKey {
        ConfigurationKey(0x1000_FFFF | UInt32(group) << 16)
    }

    /// A request for all items of all groups.
    public static let everything = ConfigurationKey(0x0FFF_FFFF)

    /// The bytes on the wire.
    public var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> ($0 * 8)) } }

    /// Reads keys; `nil` if the data ends within a key.
    static func keys(of data: [UInt8]) -> [ConfigurationKey]? {
        guard data.count.isMultiple(of: 4) else { return nil }
        return stride(from: 0, to: data.count, by: 4).map {
            ConfigurationKey(littleEndian: data[$0..<$0 + 4])
        }
    }

    /// Whether setting it could disable the chip for good, so that it is never sent.
    public var isForbidden: Bool {
        [0x10F6_0009, 0x30F6_000A, 0x30F6_000B].contains(rawValue)
    }
}
