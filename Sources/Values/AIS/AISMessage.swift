// SPDX-License-Identifier: MIT

/// A message from a ship, base station or aid to navigation. It consists of the payload of one or
/// more VDM or VDO sentences.
package struct AISMessage: Hashable, Sendable {
    /// The message as values of six bits, one for each payload character.
    private let sixes: [UInt8]
    /// The number of bits, without the fill bits of the last character.
    package let bitCount: Int

    /// Creates a message from the payload characters of VDM or VDO sentences. `fillBits` is the
    /// number of unused bits in the last character. Returns `nil` if a character is not valid.
    init?(payload: some Sequence<UInt8>, fillBits: Int = 0) {
        var sixes: [UInt8] = []
        for character in payload {
            switch character {
            case 48...87: sixes.append(character - 48)
            case 96...119: sixes.append(character - 56)
            default: return nil
            }
        }
        self.sixes = sixes
        bitCount = max(0, 6 * sixes.count - fillBits)
    }

    /// The message type, 1 to 27 if the message is valid; 0 if it is empty.
    package var type: Int { bits(0, 6) }

    /// The repeat indicator: the number of times that stations have repeated the message, 0 to 3.
    var repeatIndicator: Int { bits(6, 2) }

    /// The MMSI of the sending station.
    var mmsi: Int { bits(8, 30) }

    /// The part of a message of type 24: 0 for A, 1 for B; `nil` for other types.
    var part: Int? { type == 24 ? bits(38, 2) : nil }

    /// The fields of this message type; `nil` if the type is not decoded or the message is too
    /// short for it.
    var fields: [AISField]? {
        guard let fields = AISLayout.fields(type: type, part: part) else { return nil }
        let width = fields.reduce(Self.headerWidth) { $0 + $1.width }
        return bitCount >= width - AISLayout.optionalWidth(type: type) ? fields : nil
    }

    /// The width in bits of the fields that begin every message: type, repeat indicator and MMSI.
    static let headerWidth = 38

    /// Returns `width` bits from bit `start` as an unsigned integer. Bits after the end of the
    /// message are 0.
    func bits(_ start: Int, _ width: Int) -> Int {
        var value = 0
        for bit in start..<start + width {
            let (index, shift) = (bit / 6, 5 - bit % 6)
            let isSet = bit < bitCount && sixes[index] >> shift & 1 == 1
            value = value << 1 | (isSet ? 1 : 0)
        }
        return value
    }

    /// Returns `width` bits from bit `start` as a signed integer (two's complement).
    func signedBits(_ start: Int, _ width: Int) -> Int {
        let value = bits(start, width)
        return value >= 1 << (width - 1) ? value - (1 << width) : value
    }

    /// Returns the text of up to `count` six-bit characters from bit `start`. It ends at the first
    /// `@`; trailing spaces are removed.
    func text(_ start: Int, _ count: Int) -> String {
        Self.trimmed(characters(start, count))
    }

    /// Returns the text of up to `count` six-bit characters from bit `start`. If no `@` ends it, it
    /// continues at bit `rest` with up to 14 more characters. Trailing spaces are removed.
    func text(_ start: Int, _ count: Int, rest: Int) -> String {
        // A space may be the last character before the rest.
        var text = characters(start, count)
        let more = min(14, max(0, bitCount - rest) / 6)
        if text.utf8.count == count { text += characters(rest, more) }
        return Self.trimmed(text)
    }

    private func characters(_ start: Int, _ count: Int) -> String {
        var text = ""
        for index in 0..<count {
            let six = UInt8(truncatingIfNeeded: bits(start + 6 * index, 6))
            guard six != 0 else { break }
            text.unicodeScalars.append(Unicode.Scalar(six < 32 ? six + 64 : six))
        }
        return text
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}
