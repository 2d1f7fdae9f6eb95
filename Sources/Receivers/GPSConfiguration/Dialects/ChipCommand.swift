// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// A command or a reply of a chip that is not from u-blox. `configure` sends and reads it, and a
/// simulated chip answers it.
package enum ChipCommand: Hashable, Sendable, ExpressibleByStringLiteral {
    /// A line. If it begins with `$`, it is a sentence, which has a checksum. `%` stands for the
    /// value, `@` for the name of the connected port, and `#` for its number.
    case text(String)
    /// A CASIC frame. The value is the number in the `count` bytes after `head`.
    case frame(UBXMessageID, head: [UInt8] = [], count: Int = 0)

    package init(stringLiteral text: String) { self = .text(text) }

    /// Whether the command names the connected port.
    var namesPort: Bool {
        if case .text(let text) = self { text.contains { "@#".contains($0) } } else { false }
    }

    /// Returns the bytes that contain a value.
    package func bytes(_ value: String = "", port: String? = nil) -> [UInt8] {
        switch self {
        case .text(let text):
            let parts: [Character: String] = [
                "%": value, "@": port ?? "", "#": port?.filter(\.isNumber) ?? "",
            ]
            let line = text.map { parts[$0] ?? String($0) }.joined()
            return line.hasPrefix("$")
                ? TextLine.sentence(String(line.dropFirst())) : TextLine.plain(line)
        case .frame(let id, let head, let count):
            let number = UInt32(clamping: Int(value) ?? 0).littleEndianBytes.prefix(count)
            return CASICFrame.bytes(id, payload: head + number)
        }
    }

    /// Returns the fields of the value in a message; `nil` if it is another command. A command
    /// without a value has no fields.
    package func fields(in message: ReceivedMessage) -> [String]? {
        switch (self, message) {
        case (.text(let text), .line(let line)):
            let start = text.prefix { $0 != "%" }
            let end = text.dropFirst(start.count + 1)
            guard "\(line),".hasPrefix(start) else { return nil }
            if start.count == text.count {
                return line.count == text.count || "\(line),".hasPrefix("\(text),") ? [] : nil
            }
            let rest = line.dropFirst(start.count)
            return (rest.hasSuffix(end) ? rest.dropLast(end.count) : rest)
                .split(omittingEmptySubsequences: false) { $0 == "," || $0 == " " }
                .map(String.init)
        case (.frame(let id, let head, let count), .casic(let other, let payload)) where id == other:
            guard payload.count == (head.count + count + 3) / 4 * 4 else { return nil }
            return payload.number(at: head.count, count: count).map { count > 0 ? ["\($0)"] : [] }
        default: return nil
        }
    }
}

/// A setting as a chip writes it in its commands and replies.
package enum ChipValue: Sendable {
    /// The milliseconds between fixes.
    case period(ClosedRange<Int>)
    /// The milliseconds between the positions that the chip calculates, if it can send them more
    /// often.
    case calculationPeriod(ClosedRange<Int>)
    case baudRate
    /// The intervals of all these sentences, in fixes, and the text of a field without a sentence.
    case intervals([String], unused: String, limit: Int)
    /// The index of one of these sentences, and its interval in fixes.
    case interval([String], limit: Int)
    /// 1 for each of these constellations that is used, otherwise 0. For a constellation that
    /// occurs twice, only the first flag is set.
    case flags([Constellation])
    /// The sum of the numbers of the constellations in use.
    case bits([(constellation: Constellation, bit: Int)])
    /// The name of a constellation that is not used.
    case unused([(constellation: Constellation, name: String)])
    /// The minimum elevation in degrees, with this text after it.
    case elevation(String)
    case version([NMEAVersion: String])
    /// The protocols that a port accepts and sends, as hexadecimal numbers whose third bit is RTCM 3.
    case protocols

    /// The name of the setting in files, and in texts for the user.
    var names: (property: String, title: String) {
        switch self {
        case .period, .calculationPeriod: ("rate", "rate")
        case .baudRate: ("baud", "baud rate")
        case .intervals, .interval: ("messages", "messages")
        case .flags, .bits, .unused: ("constellations", "constellations")
        case .elevation: ("elevation", "elevation")
        case .version: ("nmea-version", "NMEA version")
        case .protocols: ("rtcm-input", "RTCM input")
        }
    }

    /// The sentences whose intervals the command sets, and the longest interval.
    var sentences: (names: [String], limit: Int)? {
        switch self {
        case .intervals(let names, _, let limit), .interval(let names, let limit): (names, limit)
        default: nil
        }
    }

    /// The constellations that the command can switch on and off; `nil` for other settings.
    var constellations: [Constellation]? {
        switch self {
        case .flags(let order): order
        case .bits(let bits): bits.map(\.constellation)
        case .unused(let names): names.map(\.constellation)
        default: nil
        }
    }

    /// Returns the text of the setting; `nil` if it is not set. Sentences and constellations that
    /// have a command each have no text.
    package func text(_ configuration: ReceiverConfiguration) -> String? {
        switch self {
        case .period, .calculationPeriod:
            // The chip counts whole milliseconds: for 3 fixes per second, it reports 333.
            return configuration.rate.flatMap { Int(exactly: (1000 / $0).rounded()) }
                .map { "\($0)" }
        case .baudRate: return configuration.baudRate.map { "\($0)" }
        case .intervals(let names, let unused, _):
            guard case .list(let list)? = configuration.messages else { return nil }
            return names.map { $0.isEmpty ? unused : "\(list[$0] ?? 0)" }.joined(separator: ",")
        case .flags(let order):
            return configuration.constellations.map { used in
                order.indices.map { index in
                    let isFirst = order.firstIndex(of: order[index]) == index
                    return isFirst && used.contains(order[index]) ? "1" : "0"
                }.joined(separator: ",")
            }
        case .bits(let bits):
            return configuration.constellations.map { used in
                "\(bits.reduce(0) { $0 + (used.contains($1.constellation) ? $1.bit : 0) })"
            }
        case .elevation(let end): return configuration.minimumElevation.map { "\($0)\(end)" }
        case .version(let names): return configuration.nmeaVersion.flatMap { names[$0] }
        case .protocols:
            return configuration.rtcmInput.map { "0000000\($0 ? 7 : 3),00000007" }
        case .interval, .unused: return nil
        }
    }

    /// Sets the setting to the value in the fields of a message. Returns `false` if they contain no
    /// possible value.
    package func read(_ fields: [String], into configuration: inout ReceiverConfiguration) -> Bool {
        guard let first = fields.first else { return false }
        switch self {
        case .period, .calculationPeriod:
            guard let period = Double(first), 1...1e6 ~= period else { return false }
            configuration.rate = 1000 / period
        case .baudRate:
            // The number of the port may precede the baud rate.
            guard let rate = Int(fields.count > 1 ? fields[1] : first) else { return false }
            configuration.baudRate = rate
        case .intervals(let names, let unused, _):
            var list: [String: Int] = [:]
            for (index, name) in names.enumerated() where !name.isEmpty {
                let interval = fields.indices.contains(index) ? Int(fields[index]) : nil
                list[name] = interval ?? (unused.isEmpty ? nil : 0)
            }
            configuration.messages = .list(list)
        case .interval(let names, _):
            guard fields.count > 1, let index = Int(first), names.indices.contains(index),
                let interval = Int(fields[1])
            else { return false }
            configuration.messages = .list([names[index]: interval])
        case .flags(let order):
            configuration.constellations = Set(zip(order, fields).filter { $0.1 == "1" }.map(\.0))
        case .bits(let bits):
            guard let sum = Int(first) else { return false }
            configuration.constellations = Set(
                bits.filter { sum & $0.bit != 0 }.map(\.constellation))
        case .unused(let names):
            // More words limit the command to one satellite or signal.
            guard fields.count == 1, let unused = names.first(where: { $0.name == first })
            else { return false }
            configuration.constellations?.remove(unused.constellation)
        case .elevation:
            guard fields.count == 1, let angle = Double(first) else { return false }
            configuration.minimumElevation = Int(exactly: angle.rounded())
        case .version(let names):
            guard let version = names.first(where: { $0.value == first })?.key else { return false }
            configuration.nmeaVersion = version
        case .protocols:
            // The last two fields are those of input and of output.
            guard let input = fields.dropLast().last.flatMap({ UInt32($0, radix: 16) }) else {
                return false
            }
            configuration.rtcmInput = input & 4 != 0
        }
        return true
    }

    /// The periods in milliseconds that the chip supports; `nil` for other settings.
    package var periods: ClosedRange<Int>? {
        switch self {
        case .period(let range), .calculationPeriod(let range): range
        default: nil
        }
    }
}

/// A setting of a family of chips: the command that sets it, and the one that reads it.
package struct ChipSetting: Sendable {
    package let value: ChipValue
    package let write: ChipCommand
    /// The command that has the opposite effect of `write`.
    var undo: ChipCommand?
    /// The request that reads the setting, and the reply; `nil` if the chip does not report it.
    package var read: ChipCommand?
    package var reply: ChipCommand?
    /// Whether some chips lack the commands.
    var isOptional = false
    /// The probable reason if the chip refuses the command; `nil` if none is known.
    var refusal: String?
    /// How long to wait after the command.
    var settling = Duration.zero
    /// The version of firmware that has the command; `nil` for every version.
    var firmware: String?

    /// Creates a setting whose reply has the form of `write`, unless `reply` is given.
    package init(
        _ value: ChipValue, _ write: ChipCommand, undo: ChipCommand? = nil,
        read: ChipCommand? = nil, reply: ChipCommand? = nil, isOptional: Bool = false,
        refusal: String? = nil, settling: Duration = .zero, firmware: String? = nil
    ) {
        (self.value, self.write, self.undo, self.read) = (value, write, undo, read)
        (self.reply, self.isOptional) = (reply ?? (read == nil ? nil : write), isOptional)
        (self.refusal, self.settling, self.firmware) = (refusal, settling, firmware)
    }
}
