// SPDX-License-Identifier: MIT
public import GNSS
public import UBX

/// The settings of a receiver, either requested or in effect. A property is `nil` if it is not
/// requested, or not known.
public struct ReceiverConfiguration: Hashable, Sendable {
    /// The number of fixes per second.
    public var rate: Double?
    /// The baud rate of the serial line.
    public var baudRate: Int?
    /// The constellations in use. On chips with GPS and QZSS, QZSS is enabled together with GPS,
    /// because they share signals.
    public var constellations: Set<Constellation>?
    /// The messages that the receiver sends.
    public var messages: MessageSelection?
    /// The expected motion of the receiver.
    public var dynamics: DynamicModel?
    /// The minimum elevation of satellites that are used, in degrees above the horizon.
    public var minimumElevation: Int?
    /// The version of NMEA.
    public var nmeaVersion: NMEAVersion?
    /// The speed below which the position is held, in metres per second; 0 disables static hold.
    public var staticHoldSpeed: Double?
    /// Whether the receiver predicts orbits to speed up the first fix.
    public var autonomousAssistance: Bool?
    /// Whether the connected port accepts corrections (RTCM 3). It is read only if it is requested.
    package var rtcmInput: Bool?
    /// Whether the receiver sends what a check of Galileo's signatures needs, and checks them itself
    /// if it can. It is read only if it is requested.
    package var galileoAuthentication: Bool?

    /// Creates a configuration without settings.
    public init() {}

    /// Whether all properties are `nil`.
    public var isEmpty: Bool { self == ReceiverConfiguration() }

    /// Returns a copy in which each setting of `other` that is not `nil` replaces the setting here.
    package func merging(_ other: ReceiverConfiguration) -> ReceiverConfiguration {
        var merged = self
        for property in Self.properties { property.copy(other, &merged) }
        return merged
    }
}

/// A version of NMEA.
public enum NMEAVersion: String, CaseIterable, Sendable {
    case v2_1 = "2.1"
    case v2_3 = "2.3"
    case v4_0 = "4.0"
    case v4_10 = "4.10"
    case v4_11 = "4.11"
}

/// A selection of messages that a receiver sends.
public enum MessageSelection: Hashable, Sendable {
    /// The sentences needed for positions and satellites.
    case nmea
    /// The binary messages needed for positions and satellites.
    case ubx
    /// The sentences and the binary messages.
    case both
    /// Only the given messages, by name such as `RMC` or `NAV-PVT`. The value is the interval in
    /// fixes.
    case list([String: Int])
}

/// A difference between two configurations in one setting.
public struct ConfigurationChange: Hashable, Sendable, CustomStringConvertible {
    /// The name of the setting, as in a file.
    public let name: String
    /// The value before the change, as in a file; `nil` if it is not known.
    public let old: String?
    /// The value after the change, as in a file.
    public let new: String

    /// The change as a line such as `rate: 1 → 10` or `messages: GGA, GLL → NAV-DOP`.
    public var description: String {
        "\(name): \(old.map(Self.plain) ?? "?") → \(Self.plain(new))"
    }

    /// Returns a value without TOML punctuation: `gps, glonass`; `none` for an empty list.
    static func plain(_ value: String) -> String {
        let text = value.filter { !"[]\"".contains($0) }
        return text.isEmpty ? "none" : text
    }
}

extension ReceiverConfiguration {
    /// Returns the settings of `requested` that differ from these settings.
    package func differences(to requested: ReceiverConfiguration) -> [ConfigurationChange] {
        Self.properties.compactMap { property in
            guard let new = property.value(requested) else { return nil }
            let old = property.value(self)
            return old == new
                ? nil : ConfigurationChange(name: property.name, old: old?.text, new: new.text)
        }
    }

    /// A setting: its option, whose name is also its name in a file, and its value in a file.
    struct Property: Sendable {
        let option: CommandOption<ReceiverConfiguration>
        let value: @Sendable (ReceiverConfiguration) -> TOMLValue?
        let copy: @Sendable (ReceiverConfiguration, inout ReceiverConfiguration) -> Void

        var name: String { option.name }

        init<Value>(
            _ name: String, letter: Character? = nil,
            _ path: any WritableKeyPath<ReceiverConfiguration, Value?> & Sendable,
            _ form: ArgumentForm<Value>, write: @escaping @Sendable (Value) -> TOMLValue,
            _ help: String
        ) {
            option = CommandOption(name, letter: letter, path, form, help)
            value = { $0[keyPath: path].map(write) }
            copy = { if let value = $0[keyPath: path] { $1[keyPath: path] = value } }
        }

        /// Creates a setting that is on or off.
        init(
            _ name: String, _ path: any WritableKeyPath<ReceiverConfiguration, Bool?> & Sendable,
            _ help: String
        ) {
            let form = ArgumentForm.choice(
                "on|off", among: [true, false], called: "value for --\(name)"
            ) { $0 ? "on" : "off" }
            self.init(name, path, form, write: { .boolean($0) }, help)
        }

        /// Sets the value that a file contains. Throws the `UsageError` of the option.
        func set(_ configuration: inout ReceiverConfiguration, _ value: TOMLValue) throws {
            try option.apply(&configuration, text(value))
        }

        private func text(_ value: TOMLValue) -> String {
            switch value {
            case .string(let text): text
            case .array(let values): values.map(text).joined(separator: ",")
            case .boolean(let isTrue) where option.choices == ["on", "off"]: isTrue ? "on" : "off"
            default: value.text
            }
        }
    }

    /// All settings, in the order of a file.
    static let properties: [Property] = [
        Property(
            "rate", letter: "r", \.rate, .number("HZ", 0.01...100, "fixes per second"),
            write: { .number($0) }, "Set the number of fixes per second"),
        Property(
            "baud", letter: "b", \.baudRate, .whole("RATE", 1200...4_000_000, called: "baud rate"),
            write: { .integer($0) }, "Set the receiver's baud rate"),
        Property(
            "constellations", letter: "c", \.constellations, constellationList,
            write: { constellations in
                .array(constellations.sorted { $0.gnssID < $1.gnssID }.map { .string($0.fileName) })
            }, "Set the constellations that the receiver uses; see below"),
        Property(
            "messages", letter: "m", \.messages, .init("nmea|ubx|both|LIST", messageSelection),
            write: \.fileValue,
            "Set the messages that the receiver sends; see below"),
        Property(
            "dynamics", \.dynamics,
            .choice("MODEL", among: DynamicModel.allCases, called: "dynamic model") { $0.name },
            write: { .string($0.name) },
            "Set the kind of motion that the receiver expects, such as automotive, sea, pedestrian or stationary"
        ),
        Property(
            "elevation", \.minimumElevation, .whole("DEGREES", -10...90, "degrees"),
            write: { .integer($0) }, "Ignore satellites below this elevation"),
        Property(
            "nmea-version", \.nmeaVersion, .choice("VERSION", called: "version of NMEA"),
            write: { .string($0.rawValue) }, "Set the version of NMEA that the receiver sends"),
        Property(
            "static-hold", \.staticHoldSpeed, .speed(0...2.55), write: { .number($0) },
            "Keep the position unchanged below this speed, in m/s or as in 2km/h; 0 switches this off"
        ),
        Property(
            "autonomous-assistance", \.autonomousAssistance,
            "Let the receiver predict satellite orbits, for a faster first fix"),
        Property(
            "rtcm-input", \.rtcmInput,
            "Let the receiver's connected port accept corrections (RTCM 3)"),
        Property(
            "galileo-authentication", \.galileoAuthentication,
            "Send the messages that a check of Galileo's signatures needs, and let the receiver check them, too, if it can"
        ),
    ]

    private static let constellationList = ArgumentForm<Set<Constellation>>("LIST") { text in
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        // An empty list in a file is refused when it is compared with the chip.
        return Set(
            try text.isEmpty
                ? []
                : names.map { name in
                    guard let found = Constellation(fileName: name) else {
                        throw UsageError.unknown(
                            "constellation", name, known: Constellation.allCases.map(\.fileName))
                    }
                    return found
                })
    }

    private static func messageSelection(_ text: String) throws -> MessageSelection {
        guard !text.isEmpty else { return .list([:]) }
        // A single word that is almost one of these is no name of a message.
        let words = ["nmea", "ubx", "both"]
        guard let messages = MessageSelection(text),
            words.contains(text) || UsageError.nearest(text, of: words) == nil
        else {
            throw UsageError(
                "not a value for --messages: '\(text)'\(UsageError.suggestion(text, of: words)) "
                    + "(expected nmea, ubx, both, or names such as RMC,GGA)")
        }
        return messages
    }

    /// The options that request settings.
    package static var options: [CommandOption<ReceiverConfiguration>] { properties.map(\.option) }
}

extension ReceiverConfiguration {
    /// Throws a `UsageError` if a value is outside of the range for files. A program can set any
    /// value.
    func checkRanges() throws {
        for property in Self.properties where property.name != "messages" {
            guard let value = property.value(self) else { continue }
            var copy = self
            try property.set(&copy, value)
        }
        // An interval of 0 is allowed here: it switches the message off.
        let intervals = messages?.intervals ?? [:]
        if let wrong = intervals.first(where: { !(0...255).contains($0.value) }) {
            throw UsageError("messages: expected 0 to 255 fixes for \(wrong.key)")
        }
    }
}

extension Constellation {
    /// The name of the constellation in files and options: `gps`, `beidou`.
    package var fileName: String { name.lowercased() }

    /// Creates the constellation from its name in files and options, in upper or lower case; `nil`
    /// for any other name.
    package init?(fileName: String) {
        guard let found = Self.allCases.first(where: { $0.fileName == fileName.lowercased() })
        else { return nil }
        self = found
    }
}

extension ReceiverConfiguration {
    /// Parses settings from a TOML file. The table `receiver`, which describes the receiver, is
    /// ignored.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`, the line and the column.
    public init(toml text: String) throws(ConfigurationError) {
        self.init()
        for entry in try TOMLDocument(settings: text).entries where entry.table != "receiver" {
            guard let property = Self.properties.first(where: { $0.name == entry.key }),
                entry.table.isEmpty
            else {
                let names = Self.properties.map(\.name)
                throw ConfigurationError(
                    "'\(entry.key)' is not a setting\(UsageError.suggestion(entry.key, of: names)) "
                        + "(known: \(names.joined(separator: ", ")))", at: entry)
            }
            do {
                try property.set(&self, entry.value)
            } catch {
                throw ConfigurationError("\(error)", at: entry)
            }
        }
    }

    /// The settings as a TOML file.
    public var toml: String { document.text }

    fileprivate var document: TOMLDocument {
        var document = TOMLDocument()
        for property in Self.properties {
            if let value = property.value(self) { document.add(property.name, value) }
        }
        return document
    }
}

extension ReceiverState {
    /// The settings in effect as a TOML file. The table `receiver` contains the model, firmware and
    /// port.
    public var toml: String {
        var document = configuration.document
        document.add("model", .string("\(identity)"), table: "receiver")
        document.add("firmware", .string(identity.firmware), table: "receiver")
        if let port { document.add("port", .string(port), table: "receiver") }
        return document.text
    }
}

/// The identity and the settings that a receiver reported.
public struct ReceiverState: Hashable, Sendable {
    /// A memory of the receiver.
    public enum Storage: String, CaseIterable, Sendable {
        /// Memory that is kept as long as the backup battery lasts: minutes to weeks.
        case battery
        /// Permanent memory.
        case flash
        /// The default values of the firmware.
        case defaults
    }

    /// The settings of a port of the chip.
    public struct Port: Hashable, Sendable {
        /// The name of the port: `UART1`, `USB`.
        public var name: String
        /// The baud rate; `nil` for a port that is not a UART.
        public var baudRate: Int?
        /// The protocols that the port accepts: `ubx`, `nmea`, `rtcm2`, `rtcm3`, `spartn`.
        public var input: [String] = []
        /// The protocols that the port sends.
        public var output: [String] = []
    }

    /// The chip and the firmware of the receiver.
    public var identity: ReceiverIdentity
    /// The port of the chip that this computer is connected to: `UART1`, `USB`; `nil` if it is not
    /// known.
    public var port: String?
    /// The settings in effect.
    public var configuration = ReceiverConfiguration()
    /// The constellations that the chip can receive; `nil` if it does not report them.
    public var supportedConstellations: Set<Constellation>?
    /// The maximum number of constellations at once, not counting SBAS and QZSS; `nil` if there is
    /// no limit.
    public var maximumConstellations: Int?
    /// All ports of the chip. They are read only from u-blox chips, and only if the request reads
    /// stored values.
    public var ports: [Port] = []
    /// The settings in other memories, if they could be read.
    public var stored: [Storage: ReceiverConfiguration] = [:]

    package init(_ identity: ReceiverIdentity) { self.identity = identity }
}

extension MessageSelection {
    /// Creates a selection from the text of an option: `nmea`, `ubx`, `both`, or a comma-separated
    /// list of names such as `RMC,GGA,GSV/5`. Returns `nil` for any other text.
    public init?(_ text: String) {
        switch text {
        case "nmea": self = .nmea
        case "ubx": self = .ubx
        case "both": self = .both
        default:
            var list: [String: Int] = [:]
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let (name, interval) = Self.entry(String(part)) else { return nil }
                list[name] = interval
            }
            self = .list(list)
        }
    }

    /// The intervals of the messages in a list, in fixes; empty for other selections.
    package var intervals: [String: Int] { if case .list(let list) = self { list } else { [:] } }

    var fileValue: TOMLValue {
        switch self {
        case .nmea: .string("nmea")
        case .ubx: .string("ubx")
        case .both: .string("both")
        case .list(let list):
            .array(
                list.sorted { $0.key < $1.key }
                    .map { .string($0.value == 1 ? $0.key : "\($0.key)/\($0.value)") })
        }
    }

    /// Parses `NAME` or `NAME/INTERVAL`, with an interval of 1 to 255 fixes; `nil` for other text.
    private static func entry(_ text: String) -> (name: String, interval: Int)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count <= 2,
            name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") })
        else { return nil }
        guard parts.count == 2 else { return (name.uppercased(), 1) }
        guard let interval = Int(parts[1]), 1...255 ~= interval else { return nil }
        return (name.uppercased(), interval)
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// A message to send unchanged, from a file that describes messages for receivers of any
/// manufacturer.
///
///     # a comment
///     nmea PSTMSETPAR,1303,0.1      the checksum and the line end are added
///     nmea $PMTK220,200*2C          as in a manual: the checksum must be right
///     text MODE ROVER               a line end is added
///     ubx 06 08 C8 00 01 00 01 00   class, id and payload
///     casic 06 04 C8 00 00 00       class, id and payload
///     hex A0 A1 00 02 0E 0A 04 0D 0A
///     nmea PSTMSAVEPAR -> $PSTMSAVEPAROK    the answer to wait for
public struct DescribedMessage: Hashable, Sendable {
    /// The bytes to send, including checksum and line end.
    public let bytes: [UInt8]
    /// The message as written in the file, without the expected answer.
    public let text: String
    /// The beginning of the expected answer; `nil` for the usual answer to this kind of message.
    public let answer: String?

    /// Creates a message from bytes.
    public init(_ bytes: [UInt8], text: String = "", answer: String? = nil) {
        (self.bytes, self.text, self.answer) = (bytes, text, answer)
    }

    /// Parses a file of messages.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile` and the line, or with `.forbidden` for
    ///   a message that must never be sent.
    public static func messages(in file: String) throws(ConfigurationError) -> [DescribedMessage] {
        var messages: [DescribedMessage] = []
        let lines = file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = String(line).trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            let message = try message(text, line: index + 1)
            if let reason = ForbiddenMessage.reason(message.bytes) {
                throw ConfigurationError(.forbidden, "line \(index + 1): \(reason)")
            }
            messages.append(message)
        }
        return messages
    }

    private static func message(
        _ text: String, line: Int
    ) throws(ConfigurationError) -> DescribedMessage {
        var content = text
        var answer: String?
        if let arrow = text.firstRange(of: " -> ") {
            content = String(text[..<arrow.lowerBound]).trimmed
            answer = String(text[arrow.upperBound...]).trimmed
        }
        let kind = String(content.prefix { !$0.isWhitespace })
        let rest = String(content.dropFirst(kind.count)).trimmed
        let bytes: [UInt8]? =
            switch kind {
            case "nmea": sentence(rest)
            case "text": rest.isEmpty ? nil : TextLine.plain(rest)
            case "hex": Self.bytes(rest)
            case "ubx", "casic":
                Self.bytes(rest).flatMap { bytes in
                    guard bytes.count >= 2 else { return nil }
                    let id = UBXMessageID(bytes[0], bytes[1])
                    let payload = Array(bytes.dropFirst(2))
                    return kind == "ubx"
                        ? UBXFrame.bytes(id, payload: payload)
                        : CASICFrame.bytes(id, payload: payload)
                }
            default:
                throw ConfigurationError(
                    .malformedFile,
                    "line \(line), column 1: not a kind of message: '\(kind)' (expected nmea, "
                        + "text, ubx, casic or hex)")
            }
        guard let bytes else {
            let checksum = kind == "nmea" ? rightChecksum(rest) : nil
            throw ConfigurationError(
                .malformedFile,
                "line \(line), column \(kind.count + 2): "
                    + (checksum.map { "the checksum is wrong: the right one is \($0)" }
                        ?? "invalid content for '\(kind)'"))
        }
        return DescribedMessage(bytes, text: content, answer: answer)
    }

    /// Returns a sentence with its checksum and line end. The text may begin with `$` and end with
    /// the checksum, as in manuals. Returns `nil` if it is empty, has a wrong checksum, or contains
    /// `$` or `*` elsewhere.
    private static func sentence(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        let body = String(parts[0].hasPrefix("$") ? parts[0].dropFirst() : parts[0])
        guard !body.isEmpty, !body.contains("$") else { return nil }
        if parts.count > 1 {
            let digits = Array(parts[1].utf8)
            let sum: UInt8 = body.utf8.reduce(0, ^)
            guard digits.count == 2, Hexadecimal.value(digits[0], digits[1]) == sum else {
                return nil
            }
        }
        return TextLine.sentence(body)
    }

    /// Returns the checksum that a sentence should have; `nil` if the sentence has none, or has
    /// another error.
    private static func rightChecksum(_ text: String) -> String? {
        guard let star = text.firstIndex(of: "*"), let sentence = sentence(String(text[..<star]))
        else { return nil }
        return String(decoding: sentence.dropLast(2).suffix(2), as: UTF8.self)
    }

    /// Returns the bytes of a string of hexadecimal digits, which may be separated by spaces; `nil`
    /// if it is empty, has an odd number of digits or contains other characters.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != " " }
        return digits.isEmpty ? nil : Hexadecimal.bytes(digits)
    }
}
