// SPDX-License-Identifier: MIT

/// One field of an AIS message. The associated values are the field's name in gpsd's JSON and,
/// unless the width is fixed, the width in bits or, for text, in six-bit characters.
enum AISField: Sendable {
    /// Unused bits.
    case spare(Int)
    /// An unsigned integer.
    case number(StaticString, Int)
    /// A flag of one bit.
    case flag(StaticString)
    /// An unsigned integer. In JSON, a second member `NAME_text` contains the text for its value.
    case choice(StaticString, Int, AISLegend)
    /// A number in tenths of its unit.
    case tenths(StaticString, Int)
    /// A speed in tenths of a knot. 1022 means 102.2 knots or more; 1023 means unknown.
    case speed(StaticString)
    /// A signed coordinate in units of 1/10,000 minute.
    case coordinate(StaticString, Int)
    /// A rate of turn: 4.733 times the signed square root of the degrees per minute. 127 and -127
    /// mean more than 5° in 30 s; -128 means unknown.
    case turn(StaticString)
    /// Text in six-bit characters.
    case text(StaticString, Int)
    /// Text in six-bit characters. The next fields begin where the text begins, so they read the
    /// same bits again.
    case sharedText(StaticString, Int)
    /// Text in six-bit characters. If the text fills this field, it continues at bit `rest` with up
    /// to 14 more characters.
    case extendedText(StaticString, Int, rest: Int)
    /// A date and time: year, month, day, hour, minute and second.
    case timestamp(StaticString)
    /// An estimated time of arrival: month, day, hour and minute.
    case arrival(StaticString)
    /// The distances in metres from the antenna to bow, stern, port and starboard. For an auxiliary
    /// craft, the same bits contain the MMSI of its mother ship.
    case dimensions

    /// The minimum number of bits that the field occupies in a message.
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
