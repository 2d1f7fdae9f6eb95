// SPDX-License-Identifier: MIT

/// A pressed key.
package enum Key: Hashable, Sendable {
    case character(Character)
    case left, right, up, down
    case pageUp, pageDown, home, end
    case tab, backTab
    /// The key ^L, which redraws the whole screen.
    case redraw
    /// Escape or Return, which only close the help.
    case other

    /// Parses the keys in bytes from a terminal. Keys that the program does not use are omitted.
    package static func keys(in bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x1B where index < bytes.count && bytes[index] == 0x09:
                // On the Linux console, Shift-Tab sends these bytes.
                keys.append(.backTab)
                index += 1
            case 0x1B where index == bytes.count: keys.append(.other)
            case 0x1B:
                guard index < bytes.count, bytes[index] == 0x5B || bytes[index] == 0x4F else {
                    continue
                }
                index += 1
                // Skips the parameters of the escape sequence, up to its final byte.
                let start = index
                while index < bytes.count, bytes[index] < 0x40 { index += 1 }
                guard index < bytes.count else { break }
                if let key = special(bytes[start..<index], bytes[index]) { keys.append(key) }
                index += 1
            case 0x09: keys.append(.tab)
            case 0x0A, 0x0D: keys.append(.other)
            case 0x0C: keys.append(.redraw)
            case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
            default: break
            }
        }
        return keys
    }

    private static func special(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "~"):
            switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
            case "1", "7": .home
            case "4", "8": .end
            case "5": .pageUp
            case "6": .pageDown
            default: nil
            }
        default: nil
        }
    }
}
