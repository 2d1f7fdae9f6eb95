// SPDX-License-Identifier: MIT

/// One field of a message: its width, and how gpsd's JSON has it.
enum AISField: Sendable {
    /// Bits without a meaning.
    case spare(Int)
    /// A whole number.
    case number(StaticString, Int)
    /// One bit.
    case flag(StaticString)
    /// A whole number with a text for each of its values, as a second member `…_text`.
    case choice(StaticString, Int, AISLegend)
    /// Tenths of a unit.
    case tenths(StaticString, Int)
    /// Tenths of a knot; 1022 is faster, 1023 is not known.
    case speed(StaticString)
    /// A coordinate in 1/10 000 minutes, signed.
    case coordinate(StaticString, Int)
    /// The rate of turn.
    case turn(StaticString)
    /// Characters of six bits.
    case text(StaticString, Int)
    /// Characters of six bits that the fields after it also hold.
    case sharedText(StaticString, Int)
    /// The rest of the message in characters of six bits continues the text before it.
    case extendedText(StaticString, Int, rest: Int)
    /// Year, month, day, hour, minute and second.
    case timestamp(StaticString)
    /// Month, day, hour and minute.
    case arrival(StaticString)
    /// Distances of the antenna from the ship's four sides in metres; on an auxiliary craft the number of
    /// its mother ship.
    case dimensions

    /// The number of bits, which a message must have.
    var width: Int {
        switch self {
        case .sharedText: 0
        case .spare(let width), .number(_, let width), .choice(_, let width, _),
            .tenths(_, let width), .coordinate(_, let width):
            width
        case .flag: 1
        case .speed: 10
        case .turn: 8
        case .text(_, let count), .extendedText(_, let count, _): 6 * count
        case .timestamp: 40
        case .arrival: 20
        case .dimensions: 30
        }
    }
}
