// SPDX-License-Identifier: MIT
import GNSS

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

/// The fields of each message type that follow the type, repeat indicator and MMSI, in bit order
/// (ITU-R M.1371).
enum AISLayout {
    /// Returns the fields of a message type, or `nil` if the type is not decoded. `part` selects
    /// one of the two layouts of type 24: 0 for part A, 1 for part B.
    static func fields(type: Int, part: Int?) -> [AISField]? {
        switch (type, part) {
        case (1, _), (2, _), (3, _): positionReport
        case (4, _): baseStation
        case (5, _): voyage
        case (18, _): classB
        case (19, _): extendedClassB
        case (21, _): aidToNavigation
        case (24, 0): staticPartA
        case (24, 1): staticPartB
        default: nil
        }
    }

    /// Returns the number of bits at the end of a message type that may be missing, as in gpsd.
    /// Some transmitters omit them.
    static func optionalWidth(type: Int) -> Int {
        switch type {
        case 1...3: 5
        case 5: 3
        default: 0
        }
    }

    private static let positionReport: [AISField] = [
        .choice("status", 4, .navigationStatus), .turn("turn"), .speed("speed"),
        .flag("accuracy"), .coordinate("lon", 28), .coordinate("lat", 27),
        .tenths("course", 12), .number("heading", 9), .number("second", 6),
        .number("maneuver", 2), .spare(3), .flag("raim"), .number("radio", 19),
    ]

    private static let baseStation: [AISField] = [
        .timestamp("timestamp"), .flag("accuracy"), .coordinate("lon", 28),
        .coordinate("lat", 27), .choice("epfd", 4, .positionSource), .spare(10), .flag("raim"),
        .number("radio", 19),
    ]

    private static let voyage: [AISField] = [
        .number("ais_version", 2), .number("imo", 30), .text("callsign", 7),
        .text("shipname", 20), .choice("shiptype", 8, .shipType), .dimensions,
        .choice("epfd", 4, .positionSource), .arrival("eta"), .tenths("draught", 8),
        .text("destination", 20), .number("dte", 1),
    ]

    private static let classB: [AISField] = [
        .number("reserved", 8), .tenths("speed", 10), .flag("accuracy"),
        .coordinate("lon", 28), .coordinate("lat", 27), .tenths("course", 12),
        .number("heading", 9), .number("second", 6), .number("regional", 2), .flag("cs"),
        .flag("display"), .flag("dsc"), .flag("band"), .flag("msg22"), .spare(1), .flag("raim"),
        .number("radio", 20),
    ]

    private static let extendedClassB: [AISField] = [
        .number("reserved", 8), .tenths("speed", 10), .flag("accuracy"),
        .coordinate("lon", 28), .coordinate("lat", 27), .tenths("course", 12),
        .number("heading", 9), .number("second", 6), .number("regional", 4),
        .text("shipname", 20), .choice("shiptype", 8, .shipType), .dimensions,
        .choice("epfd", 4, .positionSource), .flag("raim"), .number("dte", 1),
        .flag("assigned"),
    ]

    private static let aidToNavigation: [AISField] = [
        .choice("aid_type", 5, .aidType), .extendedText("name", 20, rest: 272),
        .flag("accuracy"), .coordinate("lon", 28), .coordinate("lat", 27), .dimensions,
        .choice("epfd", 4, .positionSource), .number("second", 6), .flag("off_position"),
        .number("regional", 8), .flag("raim"), .flag("virtual_aid"), .spare(1),
    ]

    private static let staticPartA: [AISField] = [.spare(2), .text("shipname", 20)]

    // As in gpsd, the vendor name also includes the bits of the model and the serial number,
    // because older transponders use them for a longer name.
    private static let staticPartB: [AISField] = [
        .spare(2), .choice("shiptype", 8, .shipType), .sharedText("vendorid", 7), .spare(18),
        .number("model", 4), .number("serial", 20), .text("callsign", 7), .dimensions,
    ]
}

/// Assembles AIS messages from the sentences of one device, and writes those of the types 1 to 5,
/// 18, 19, 21 and 24 as JSON objects, like gpsd's `AIS` class.
package struct AISReports: Equatable, Sendable {
    /// The options of a report that a gpsd client can set.
    package struct Options: Hashable, Sendable {
        /// Whether numbers are converted to knots, degrees and metres. Default: `false`, which
        /// writes the integers of the message.
        var isScaled = false
        /// Whether a part of type 24 is reported even if the other part is not known. Default:
        /// `false`.
        var splitsType24 = false

        /// Creates options; by default, both are `false`.
        package init(isScaled: Bool = false, splitsType24: Bool = false) {
            self.isScaled = isScaled
            self.splitsType24 = splitsType24
        }
    }

    /// The maximum number of ships whose name (part A of type 24) is stored.
    private static let maximumNames = 8

    private let device: String
    private var assembler = AISAssembler()
    private var names: [AISMessage] = []

    /// Creates a writer for the messages of one device. `device` is the value of the member
    /// `device` of each object.
    package init(device: String) {
        self.device = device
    }

    /// Adds a sentence. If the sentence completes a message, returns the message as one JSON object
    /// without a line end for each element of `variants`; otherwise returns an empty array.
    ///
    /// Omits a message whose type is not decoded or which is too short. A part B of type 24 is
    /// combined with the stored part A. Unless `splitsType24` is `true`, omits part A, and a part B
    /// without a stored part A.
    package mutating func objects(
        of sentence: [UInt8], _ variants: [Options]
    ) -> [(options: Options, text: String)] {
        guard let message = assembler.message(sentence), let fields = message.fields else {
            return []
        }
        defer { if message.part == 0 { store(message) } }
        return variants.compactMap { options in
            object(of: message, fields, options).map { (options, $0) }
        }
    }

    /// Stores part A of a type 24 message, so that it can be combined with the ship's part B.
    private mutating func store(_ message: AISMessage) {
        names.removeAll { $0.mmsi == message.mmsi }
        if names.count == Self.maximumNames { names.removeFirst() }
        names.append(message)
    }

    private func object(
        of message: AISMessage, _ fields: [AISField], _ options: Options
    ) -> String? {
        var first: AISMessage?
        if message.part == 1 { first = names.last { $0.mmsi == message.mmsi } }
        let isSinglePart = message.part != nil && first == nil
        guard options.splitsType24 || !isSinglePart else { return nil }
        return TextBuffer.text { text in
            text.append(#"{"class":"AIS","device":"#)
            text.append(json: device)
            text.append(#","type":"#)
            text.append(integer: message.type)
            text.append(#","repeat":"#)
            text.append(integer: message.repeatIndicator)
            text.append(#","mmsi":"#)
            text.append(integer: message.mmsi)
            text.append(options.isScaled ? #","scaled":true"# : #","scaled":false"#)
            if isSinglePart {
                text.append(message.part == 0 ? #","part":"A""# : #","part":"B""#)
            }
            if let first, let fields = first.fields {
                text.append(fields, of: first, isScaled: options.isScaled)
            }
            text.append(fields, of: message, isScaled: options.isScaled)
            text.append("}")
        }
    }
}

extension TextBuffer {
    fileprivate mutating func append(
        _ fields: [AISField], of message: AISMessage, isScaled: Bool
    ) {
        var start = AISMessage.headerWidth
        for field in fields {
            append(field, at: start, of: message, isScaled)
            start += field.width
        }
    }

    private mutating func append(
        _ field: AISField, at start: Int, of message: AISMessage, _ isScaled: Bool
    ) {
        func value() -> Int { message.bits(start, field.width) }
        switch field {
        case .spare: break
        case .number(let name, _): append(name, value())
        case .flag(let name):
            append(name: name)
            append(value() == 1 ? "true" : "false")
        case .choice(let name, _, let legend):
            append(name, value())
            append(",\"")
            append(name)
            append("_text\":\"")
            append(text: legend.text(value()))
            append("\"")
        case .tenths(let name, _): append(name, tenths: value(), isScaled)
        case .speed(let name): append(name, speed: value(), isScaled)
        case .coordinate(let name, let width):
            let value = message.signedBits(start, width)
            guard isScaled else { return append(name, value) }
            append(name: name)
            append(fixed: Double(value) / 600_000, decimals: 6)
        case .turn(let name): append(name, turn: message.signedBits(start, 8), isScaled)
        case .text(let name, let count), .sharedText(let name, let count):
            append(name, text: message.text(start, count))
        case .extendedText(let name, let count, let rest):
            append(name, text: message.text(start, count, rest: rest))
        case .timestamp(let name): append(name, timestamp: message, at: start)
        case .arrival(let name): append(name, arrival: message, at: start)
        case .dimensions: append(dimensions: message, at: start)
        }
    }

    private mutating func append(name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }

    private mutating func append(_ name: StaticString, _ value: Int) {
        append(name: name)
        append(integer: value)
    }

    private mutating func append(_ name: StaticString, text: String) {
        append(name: name)
        append(json: text)
    }

    private mutating func append(_ name: StaticString, tenths value: Int, _ isScaled: Bool) {
        guard isScaled else { return append(name, value) }
        append(name: name)
        append(fixed: Double(value) / 10, decimals: 1)
    }

    private mutating func append(_ name: StaticString, speed value: Int, _ isScaled: Bool) {
        switch value {
        case 1022 where isScaled: append(name, text: "fast")
        case 1023 where isScaled: append(name, text: "nan")
        default: append(name, tenths: value, isScaled)
        }
    }

    /// Appends a rate of turn. If numbers are scaled, the rate is in degrees per minute: the square
    /// of `value` / 4.733, with the sign of `value`.
    private mutating func append(_ name: StaticString, turn value: Int, _ isScaled: Bool) {
        guard isScaled else { return append(name, value) }
        switch value {
        case -128: append(name, text: "nan")
        case -127: append(name, text: "fastleft")
        case 127: append(name, text: "fastright")
        default:
            let root = Double(value) / 4.733
            let rate = (root * root).rounded(.toNearestOrEven)
            append(name, Int(rate) * value.signum())
        }
    }

    private mutating func append(_ name: StaticString, timestamp: AISMessage, at start: Int) {
        append(name: name)
        append("\"")
        append(integer: timestamp.bits(start, 14), width: 4)
        append("-")
        append(monthToMinute: timestamp, at: start + 14)
        append(":")
        append(integer: timestamp.bits(start + 34, 6), width: 2)
        append("Z\"")
    }

    private mutating func append(_ name: StaticString, arrival: AISMessage, at start: Int) {
        append(name: name)
        append("\"")
        append(monthToMinute: arrival, at: start)
        append("Z\"")
    }

    /// Appends month, day, hour and minute from the 20 bits at `start`. Timestamps and arrival
    /// times have the same layout for them.
    private mutating func append(monthToMinute message: AISMessage, at start: Int) {
        append(integer: message.bits(start, 4), width: 2)
        append("-")
        append(integer: message.bits(start + 4, 5), width: 2)
        append("T")
        append(integer: message.bits(start + 9, 5), width: 2)
        append(":")
        append(integer: message.bits(start + 14, 6), width: 2)
    }

    private mutating func append(dimensions message: AISMessage, at start: Int) {
        // An MMSI that begins with 98 belongs to an auxiliary craft. It sends the MMSI of its
        // mother ship instead of dimensions.
        guard message.type != 24 || message.mmsi / 10_000_000 != 98 else {
            return append("mothership_mmsi", message.bits(start, 30))
        }
        append("to_bow", message.bits(start, 9))
        append("to_stern", message.bits(start + 9, 9))
        append("to_port", message.bits(start + 18, 6))
        append("to_starboard", message.bits(start + 24, 6))
    }
}
