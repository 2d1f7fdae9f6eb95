// SPDX-License-Identifier: MIT
import GNSS

/// Assembles AIS messages from the sentences of one device, and writes those of the types 1 to 5,
/// 18, 19, 21 and 24 as JSON objects, like gpsd's `AIS` class.
package struct AISReports: Equatable, Sendable {
    /// The options of a report that a gpsd client can set.
    package struct Options: Hashable, Sendable {
        /// Whether numbers are converted to knots, degrees and metres. Default: `false`, which
        /// writes the integers of the message.
        package var isScaled = false
        /// Whether a part of type 24 is reported even if the other part is not known. Default:
        /// `false`.
        package var splitsType24 = false

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
