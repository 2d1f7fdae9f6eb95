// SPDX-License-Identifier: MIT

/// What kind of sentence: the last three letters of a standard sentence's address.
public struct Formatter: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The three characters, the first in bits 16 to 23.
    let key: UInt32

    init(key: UInt32) {
        self.key = key
    }

    /// Takes three characters; others make a formatter that no sentence has.
    public init(stringLiteral value: StaticString) {
        var key: UInt32 = 0
        value.withUTF8Buffer { for byte in $0 { key = key << 8 | UInt32(byte) } }
        self.key = value.utf8CodeUnitCount == 3 ? key : 0
    }

    /// The three letters.
    public var description: String {
        let bytes = [UInt8(key >> 16 & 255), UInt8(key >> 8 & 255), UInt8(key & 255)]
        return String(decoding: bytes, as: UTF8.self)
    }
}
