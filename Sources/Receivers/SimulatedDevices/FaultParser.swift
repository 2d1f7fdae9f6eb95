// SPDX-License-Identifier: MIT
import GPSReceivers

/// Parses a fault in the form `TIME: FAULT [VALUE] [for TIME]`.
struct FaultParser {
    private struct Word {
        var text: String
        var column: Int
    }

    private static let shape = "write 'TIME: FAULT [VALUE] [for TIME]', such as '30s: jam for 20s'"

    private var words: [Word] = []
    private let end: Int

    init(_ text: String) {
        var column = 0
        var isInside = false
        for character in text {
            column += 1
            guard !character.isWhitespace else {
                isInside = false
                continue
            }
            if isInside {
                words[words.count - 1].text.append(character)
            } else {
                words.append(Word(text: String(character), column: column))
            }
            // A colon ends a word.
            isInside = character != ":"
        }
        end = column + 1
    }

    func parse() throws(FaultSyntaxError) -> Fault {
        var rest = words[...]
        let start = try startTime(&rest)
        guard let name = rest.popFirst() else {
            throw FaultSyntaxError("the fault is missing (\(Self.known))", column: end)
        }
        guard let word = FaultKeyword.all.first(where: { $0.name == name.text }) else {
            throw FaultSyntaxError(
                "not a fault: '\(name.text)'\(Self.suggestion(for: name.text)) (\(Self.known))",
                column: name.column)
        }
        var fault = Fault(.silence, at: start, probability: word.probability)
        fault.kind = try kind(word, &rest, &fault.probability)
        while let next = rest.popFirst() {
            switch next.text {
            case "for" where fault.duration == nil:
                let time = try value(&rest, "the duration is missing after 'for', as in 'for 20s'")
                fault.duration = try Self.time(time, "a time above 0", in: 0.000_001...1e9)
            default:
                throw FaultSyntaxError(
                    "unexpected '\(next.text)': after '\(word.name)' only "
                        + "'for TIME' can follow", column: next.column)
            }
        }
        return fault
    }

    // MARK: Parts

    private func startTime(_ rest: inout ArraySlice<Word>) throws(FaultSyntaxError) -> Double {
        guard var word = rest.popFirst() else {
            throw FaultSyntaxError("the fault is empty: \(Self.shape)", column: 1)
        }
        guard word.text.hasSuffix(":") else {
            throw FaultSyntaxError(
                "'\(word.text)' has no colon: \(Self.shape)", column: word.column)
        }
        word.text.removeLast()
        return try Self.time(word, "a time", in: 0...1e9)
    }

    private func kind(
        _ word: FaultKeyword, _ rest: inout ArraySlice<Word>, _ probability: inout Double
    ) throws(FaultSyntaxError) -> Fault.Kind {
        switch word.form {
        case .plain(let kind):
            return kind
        case .fraction(let kind):
            guard let next = rest.first, next.text != "for" else { return kind }
            rest.removeFirst()
            probability = try Self.number(next, "%", upTo: 100, "percentage", example: 5) / 100
            return kind
        case .rate:
            let next = try value(&rest, "the baud rate is missing, as in 'wrong-baud 4800'")
            guard let number = Int(next.text), let rate = BaudRate(rawValue: number) else {
                throw FaultSyntaxError(
                    "not a baud rate: '\(next.text)' (expected 1 to 4000000)", column: next.column)
            }
            return .wrongBaud(rate)
        case .count:
            let next = try value(&rest, "the number is missing, as in 'burst 5'")
            guard let count = Int(next.text), 2...1000 ~= count else {
                throw FaultSyntaxError(
                    "not a number of epochs: '\(next.text)' (expected 2 to 1000)",
                    column: next.column)
            }
            return .burst(count)
        case .time(let range, let make):
            let next = try value(&rest, "the value is missing, as in '\(word.name) 500ms'")
            return make(try Self.time(next, Self.name(of: range), in: range))
        case .decibels:
            let next = try value(&rest, "the value is missing, as in '\(word.name) 25dB'")
            return .passingJammer(
                decibels: try Self.number(next, "dB", upTo: 60, "level", example: 25))
        case .vector(let unit, let example, let make):
            let next = try value(&rest, "the value is missing, as in '\(word.name) \(example)'")
            return try Self.vector(next, unit, example, make)
        case .name:
            guard rest.first?.text == "as" else { return .unplug(as: nil) }
            rest.removeFirst()
            let name = try value(&rest, "the name is missing after 'as'")
            guard !name.text.contains("/"), name.text != ".", name.text != ".." else {
                throw FaultSyntaxError(
                    "not a name: '\(name.text)' (expected a name in the same folder, as in "
                        + "'unplug as gps1')", column: name.column)
            }
            return .unplug(as: name.text)
        }
    }

    private func value(
        _ rest: inout ArraySlice<Word>, _ missing: String
    ) throws(FaultSyntaxError) -> Word {
        guard let word = rest.popFirst() else { throw FaultSyntaxError(missing, column: end) }
        return word
    }

    private static func time(
        _ word: Word, _ what: String, in range: ClosedRange<Double>
    ) throws(FaultSyntaxError) -> Double {
        let units: [(String, Double)] = [
            ("ns", 1e-9), ("us", 1e-6), ("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600),
            ("d", 86_400), ("w", 604_800),
        ]
        for (unit, seconds) in units where word.text.hasSuffix(unit) {
            guard let number = Double(word.text.dropLast(unit.count)), number.isFinite,
                range.contains(number * seconds)
            else { break }
            return number * seconds
        }
        throw FaultSyntaxError(
            "not \(what): '\(word.text)' (expected a number and ms, s, min, h, d or w, such as "
                + "20s)", column: word.column)
    }

    private static func name(of range: ClosedRange<Double>) -> String {
        range.lowerBound < 0 ? "a time" : "a time of 0 or more"
    }

    /// Parses a number from 0 to `limit` that is followed by `unit`. `example` is for the error.
    private static func number(
        _ word: Word, _ unit: String, upTo limit: Int, _ what: String, example: Int
    ) throws(FaultSyntaxError) -> Double {
        guard word.text.hasSuffix(unit), let number = Double(word.text.dropLast(unit.count)),
            0...Double(limit) ~= number
        else {
            throw FaultSyntaxError(
                "not a \(what): '\(word.text)' (expected 0\(unit) to \(limit)\(unit), such as "
                    + "\(example)\(unit))", column: word.column)
        }
        return number
    }

    private static func vector(
        _ word: Word, _ unit: String, _ example: String, _ make: (Double, Double) -> Fault.Kind
    ) throws(FaultSyntaxError) -> Fault.Kind {
        if let amount = Double(word.text.dropLast()), 0...1e7 ~= amount {
            switch word.text.last {
            case "n": return make(amount, 0)
            case "s": return make(-amount, 0)
            case "e": return make(0, amount)
            case "w": return make(0, -amount)
            default: break
            }
        }
        throw FaultSyntaxError(
            "not a value with a direction: '\(word.text)' (expected \(unit) and n, s, e or w, "
                + "such as \(example))", column: word.column)
    }

    private static var known: String {
        "known: " + FaultKeyword.all.map(\.name).joined(separator: ", ")
    }

    /// Returns `; did you mean '…'?` with the keyword that has the longest common prefix with
    /// `name`, or an empty text if none is similar.
    private static func suggestion(for name: String) -> String {
        func shared(_ word: FaultKeyword) -> Int { zip(word.name, name).prefix { $0 == $1 }.count }
        guard let nearest = FaultKeyword.all.max(by: { shared($0) < shared($1) }),
            shared(nearest) >= 2
        else { return "" }
        return "; did you mean '\(nearest.name)'?"
    }
}

/// A syntax error in the text of a fault, with its position and the expected text.
public struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the expected text.
    public let message: String
    /// The column of the error, from 1.
    public let column: Int
    /// The line in a script, from 1; `nil` for a single fault.
    public let line: Int?

    init(_ message: String, column: Int, line: Int? = nil) {
        self.message = message
        self.column = column
        self.line = line
    }

    /// The position and the message on one line.
    public var description: String {
        let position = line.map { "line \($0), column \(column)" } ?? "column \(column)"
        return "\(position): \(message)"
    }
}
