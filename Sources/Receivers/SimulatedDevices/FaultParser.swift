// SPDX-License-Identifier: MIT
import GNSS
public import GPSReceivers

/// Parses a fault in the form `TIME: FAULT [VALUE] [for TIME]`.
private struct FaultParser {
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
        let similar = UsageError.suggestion(name, of: FaultKeyword.all.map(\.name))
        guard similar.isEmpty else { return similar }
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

/// A fault of a simulated receiver, its line or its signals, with its start and duration.
///
/// The text form is one line: `30s: jam for 20s`, `1min: bad-checksums 5% for 10s`; see
/// ``FaultScript``.
public struct Fault: Hashable, Sendable {
    /// The kind of fault.
    public var kind: Kind
    /// The start in seconds after the first epoch. The fault begins with the first epoch at or
    /// after this time.
    public var start: Double
    /// The duration in seconds; `nil` for no end.
    public var duration: Double?
    /// The probability, 0 to 1, with which the fault affects each item. Depending on the kind of
    /// fault, an item is a bit, byte, sentence, epoch, command or answer.
    public var probability: Double

    /// Creates a fault.
    public init(
        _ kind: Kind, at start: Double = 0, for duration: Double? = nil, probability: Double = 1
    ) {
        self.kind = kind
        self.start = start
        self.duration = duration
        self.probability = probability
    }

    /// Returns whether the fault is active, `seconds` after the first epoch.
    func isActive(at seconds: Double) -> Bool {
        guard seconds >= start else { return false }
        guard let duration else { return true }
        return seconds < start + duration
    }

    /// The kinds of fault.
    public enum Kind: Hashable, Sendable {
        // Faults of the line.

        /// Bits are inverted; the probability is per bit.
        case bitErrors
        /// Bytes are lost; the probability is per byte.
        case droppedBytes
        /// Bytes are sent twice; the probability is per byte.
        case repeatedBytes
        /// Sentences are cut off, without checksum or line end.
        case cutSentences
        /// Sentences lose their line end, so that the next one follows on the same line.
        case gluedSentences
        /// Sentences have a wrong checksum.
        case badChecksums
        /// The receiver sends at the given baud rate instead of the line's, so the reader samples
        /// bits at the wrong times.
        case wrongBaud(BaudRate)
        /// Complete binary frames are inserted after sentences.
        case binaryFrames(BinaryFrames)
        /// Truncated binary frames are inserted after sentences.
        case cutBinaryFrames(BinaryFrames)

        // Faults of timing.

        /// Nothing is sent, and the data is lost.
        case silence
        /// Nothing is sent until the end of the fault; then all data of that time is sent at once
        /// (at most 64 KiB).
        case stall
        /// Epochs are collected, and the given number of them is sent at once.
        case burst(Int)
        /// Each epoch is delayed by a random time up to the given number of seconds.
        case late(Double)
        /// The device is unplugged in the middle of an epoch. At the end of the fault, it is
        /// plugged in again, under the given name or, if that is `nil`, the previous one.
        case unplug(as: String?)

        // Faults of the power supply and of commands.

        /// The power supply is off, and the receiver starts again afterwards. If `keepsBattery` is
        /// `true`, the battery-backed memory is kept.
        case powerOff(keepsBattery: Bool)
        /// Each answer to a command is delayed by a random time up to the given number of seconds.
        case lateAnswers(Double)
        /// Answers to commands are lost, but the commands take effect.
        case lostAnswers
        /// The receiver's input buffer is full, so commands are lost.
        case fullBuffer

        // Faults of the receiver.

        /// The date is 1024 weeks too early.
        case weekRollover
        /// The day that ends at the first midnight after the start of the fault has a leap second,
        /// 23:59:60.
        case leapSecond
        /// The clock is wrong by the given number of seconds.
        case clockOff(Double)
        /// No signal is tracked, so there is no fix.
        case jamming
        /// Satellites are tracked, but there is no fix.
        case lostFix
        /// The receiver is between buildings, with fewer satellites, multipath, and larger real and
        /// reported errors.
        case urban
        /// The position is wrong by the given distances in metres, without a change of the reported
        /// accuracies or signals.
        case spoofing(north: Double, east: Double)

        // Faults of Galileo's signatures, if they are simulated.

        /// Galileo announces another chain of keys, which comes into force at the next full hour that
        /// is at least ten minutes later.
        case chainRenewal
        /// Galileo revokes its chain of keys. Its signatures must not be used until the next chain,
        /// like one of `chainRenewal`, is in force.
        case chainRevocation
        /// The orbits of Galileo's satellites are changed, but not their signatures.
        case forgedOrbits
        /// Messages of Galileo that were sent the given number of seconds ago are repeated.
        case replay(Double)

        // Attacks on the signals.

        /// A jammer passes by. In the middle of the fault it is nearest, and lowers every C/N0 by
        /// the given number of decibels. The default duration is one minute.
        case passingJammer(decibels: Double)
        /// False signals, all of equal power, shift the position by the given distances in metres.
        case equalPower(north: Double, east: Double)
        /// False signals drag the position away with the given velocity in metres per second, which
        /// is added to the reported velocity. The signal strengths become nearly equal unless
        /// `isCareful` is `true`: then the attacker imitates the strength of each satellite.
        case dragOff(north: Double, east: Double, isCareful: Bool)
        /// The time drifts away from the true time by the given number of seconds per second.
        case timeWalk(Double)
        /// A repeater rebroadcasts the signals at its antenna, so the receiver reports the
        /// antenna's position. The antenna is at rest, at the given distances in metres from the
        /// receiver's position at the start of the fault. The time jumps by the travel time of the
        /// signals.
        case meaconing(north: Double, east: Double)
    }
}

/// The protocol of inserted binary frames.
public enum BinaryFrames: String, CaseIterable, Hashable, Sendable {
    /// u-blox's UBX.
    case ubx
    /// RTCM 3 corrections.
    case rtcm3
}

extension Fault.Kind {
    /// The keyword of an attack on the signals; `nil` for a fault of the receiver or the line.
    var attackName: String? {
        switch self {
        case .jamming: "jam"
        case .spoofing: "spoof"
        case .passingJammer: "passing-jammer"
        case .equalPower: "equal-power"
        case .dragOff(_, _, let isCareful): isCareful ? "careful-drag" : "drag-off"
        case .timeWalk: "time-walk"
        case .meaconing: "meacon"
        default: nil
        }
    }

    /// Whether all numbers of an attack are finite. An attack with other numbers has no effect.
    var isFiniteAttack: Bool {
        switch self {
        case .passingJammer(let value), .timeWalk(let value): value.isFinite
        case .equalPower(let north, let east), .dragOff(let north, let east, _),
            .meaconing(let north, let east):
            north.isFinite && east.isFinite
        default: true
        }
    }
}

/// The keyword of a fault in a script, the form of its value, and a description.
package struct FaultKeyword: Sendable {
    /// The keyword, such as `bad-checksums`.
    package let name: String
    /// The form of the value, such as `P%`; empty if there is none.
    package let value: String
    /// A short description of the effect.
    package let meaning: String
    /// The probability if the script gives none, 0 to 1.
    let probability: Double
    let form: Form

    /// The form of a fault's value in a script. It determines the parser and the fault that is
    /// created.
    enum Form: Sendable {
        case plain(Fault.Kind)
        case fraction(Fault.Kind)
        case rate
        case count
        case time(ClosedRange<Double>, @Sendable (Double) -> Fault.Kind)
        case decibels
        /// A number and a direction, such as `500n`, with the name of the unit and an example. The
        /// function creates the fault from the north and east components.
        case vector(_ unit: String, _ example: String, @Sendable (Double, Double) -> Fault.Kind)
        case name
    }

    /// All keywords. The parser, `--help`, error messages and tests use this list.
    package static let all: [FaultKeyword] = [
        fraction("bit-errors", .bitErrors, 0.001, "invert this percentage of the bits"),
        fraction("drop-bytes", .droppedBytes, 0.01, "lose this percentage of the bytes"),
        fraction("repeat-bytes", .repeatedBytes, 0.01, "send this percentage of the bytes twice"),
        fraction("cut-sentences", .cutSentences, 0.1, "cut this percentage of the sentences short"),
        fraction(
            "glue-sentences", .gluedSentences, 0.1,
            "omit the line ends of this percentage of the sentences"),
        fraction(
            "bad-checksums", .badChecksums, 0.1,
            "send wrong checksums for this percentage of the sentences"),
        FaultKeyword("wrong-baud", "RATE", "send at this baud rate, not at the line's", .rate),
        fraction(
            "ubx", .binaryFrames(.ubx), 0.1, "add UBX frames after this percentage of the sentences"
        ),
        fraction(
            "rtcm3", .binaryFrames(.rtcm3), 0.1,
            "add RTCM 3 frames after this percentage of the sentences"),
        fraction(
            "cut-ubx", .cutBinaryFrames(.ubx), 0.1,
            "add UBX frames that are cut off, after this percentage of the sentences"),
        fraction(
            "cut-rtcm3", .cutBinaryFrames(.rtcm3), 0.1,
            "add RTCM 3 frames that are cut off, after this percentage of the sentences"),
        plain("silence", .silence, "send nothing; the data is lost"),
        plain("stall", .stall, "send nothing, then everything at once"),
        FaultKeyword("burst", "N", "send N epochs at once", .count),
        FaultKeyword(
            "late", "TIME", "send epochs late, by up to this time", .time(0...1e9) { .late($0) }),
        FaultKeyword(
            "unplug", "[as NAME]", "unplug, and plug in again, under NAME if it is given", .name),
        plain(
            "power-off", .powerOff(keepsBattery: true), "cut the power, but not the backup battery"),
        plain("power-loss", .powerOff(keepsBattery: false), "cut the power and the backup battery"),
        FaultKeyword(
            "late-answers", "TIME", "answer commands late, by up to this time",
            .time(0...1e9) { .lateAnswers($0) }),
        fraction(
            "lost-answers", .lostAnswers, 0.5, "lose this percentage of the answers to commands"),
        fraction("full-buffer", .fullBuffer, 0.5, "lose this percentage of the commands"),
        plain("week-rollover", .weekRollover, "send dates that are 1024 weeks too early"),
        plain("leap-second", .leapSecond, "insert 23:59:60 at the next midnight"),
        FaultKeyword(
            "clock-off", "TIME", "send UTC times that are wrong by this much",
            .time(-1e9...1e9) { .clockOff($0) }),
        plain("jam", .jamming, "track no satellites, and lose the fix"),
        plain("lose-fix", .lostFix, "lose the fix despite good signals"),
        plain(
            "urban", .urban,
            "drive between buildings: larger errors, and larger reported accuracies"),
        offset("spoof", "report a position this far off, with unchanged accuracies") {
            .spoofing(north: $0, east: $1)
        },
        plain(
            "chain-renewal", .chainRenewal,
            "with --osnma: announce the next chain of keys, from the next full hour"),
        plain(
            "chain-revocation", .chainRevocation,
            "with --osnma: revoke the chain of keys; the next one begins with the next full hour"),
        plain("forged-orbits", .forgedOrbits, "with --osnma: change orbits, but not signatures"),
        FaultKeyword(
            "replay", "TIME", "with --osnma: repeat messages of Galileo that are this old",
            .time(0...1e9) { .replay($0) }),
        FaultKeyword(
            "passing-jammer", "NUMBERdB", "a jammer drives past: C/N0 falls by up to this many dB",
            .decibels),
        offset(
            "equal-power", "false signals as strong as the real ones, for a position this far off"
        ) {
            .equalPower(north: $0, east: $1)
        },
        drag("drag-off", "false signals pull the position away at this speed") {
            .dragOff(north: $0, east: $1, isCareful: false)
        },
        drag("careful-drag", "like drag-off, with realistic signal strengths") {
            .dragOff(north: $0, east: $1, isCareful: true)
        },
        FaultKeyword(
            "time-walk", "TIME", "false signals whose time drifts by this much per second",
            .time(-10...10) { .timeWalk($0) }),
        offset("meacon", "signals that an antenna this far away receives and a transmitter repeats")
        {
            .meaconing(north: $0, east: $1)
        },
    ]

    private init(
        _ name: String, _ value: String, _ meaning: String, _ form: Form, _ probability: Double = 1
    ) {
        self.name = name
        self.value = value
        self.meaning = meaning
        self.form = form
        self.probability = probability
    }

    private static func offset(
        _ name: String, _ meaning: String,
        _ kind: @escaping @Sendable (_ north: Double, _ east: Double) -> Fault.Kind
    ) -> FaultKeyword {
        FaultKeyword(name, "METRESn|s|e|w", meaning, .vector("metres", "500n", kind))
    }

    private static func drag(
        _ name: String, _ meaning: String,
        _ kind: @escaping @Sendable (_ north: Double, _ east: Double) -> Fault.Kind
    ) -> FaultKeyword {
        FaultKeyword(name, "M/Sn|s|e|w", meaning, .vector("m/s", "1.5n", kind))
    }

    private static func plain(_ name: String, _ kind: Fault.Kind, _ meaning: String) -> FaultKeyword
    {
        FaultKeyword(name, "", meaning, .plain(kind))
    }

    private static func fraction(
        _ name: String, _ kind: Fault.Kind, _ usual: Double, _ meaning: String
    ) -> FaultKeyword {
        FaultKeyword(name, "P%", meaning, .fraction(kind), usual)
    }
}

/// The faults of a simulation. The same script and seed have the same effects.
///
/// ```swift
/// configuration.faults = try FaultScript("""
///     30s: jam for 20s                 # the fix is lost, and comes back
///     1min: bad-checksums 5% for 10s
///     90s: unplug as gps1 for 5s
///     """)
/// ```
public struct FaultScript: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The faults, in the order in which they are applied if several are active.
    public var faults: [Fault]

    /// Creates a script from faults.
    public init(_ faults: [Fault] = []) {
        self.faults = faults
    }

    /// Creates a script from an array literal of faults.
    public init(arrayLiteral faults: Fault...) {
        self.faults = faults
    }

    /// Parses a script with one fault per line. Empty lines and text after `#` are ignored.
    ///
    /// Throws a ``FaultSyntaxError`` with the position of the error.
    public init(_ text: String) throws(FaultSyntaxError) {
        faults = []
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let words = line.prefix { $0 != "#" }
            guard words.contains(where: { !$0.isWhitespace }) else { continue }
            do {
                faults.append(try FaultParser(String(words)).parse())
            } catch {
                throw FaultSyntaxError(error.message, column: error.column, line: number)
            }
        }
    }
}

extension Fault {
    /// Parses a fault from one line, such as `30s: jam for 20s`.
    ///
    /// Throws a ``FaultSyntaxError`` with the position of the error.
    public init(_ text: String) throws(FaultSyntaxError) {
        self = try FaultParser(text).parse()
    }
}
