// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import UBX

/// The command set of a receiver that is not from u-blox.
enum CommandSet: String, Hashable, Sendable {
    /// Zhongke AT6558: PCAS sentences and CASIC binary frames.
    case casic5
    /// Zhongke AT9880: like the AT6558, but with other configuration messages.
    case casic6
    /// MediaTek: PMTK sentences.
    case pmtk
    /// Airoha: PAIR sentences.
    case pair
    /// Quectel LG290P: PQTM sentences.
    case pqtm
    /// Unicore UM980: text commands such as `MASK GPS`.
    case unicore
}

/// The current, stored and factory settings of a receiver that is not from u-blox.
struct CommandMemory: Sendable {
    /// The settings in effect.
    var settings: ReceiverSettings
    /// The settings that are loaded after a restart.
    var saved: ReceiverSettings
    let defaults: ReceiverSettings
    /// Values without effect on the simulation, by name, in the order in which the receiver lists
    /// them.
    var values: [(name: String, text: String)] = []
    /// The values that are loaded after a restart.
    var savedValues: [(name: String, text: String)] = []

    /// The value with a name; `nil` if there is none.
    subscript(name: String) -> String? {
        get { values.first { $0.name == name }?.text }
        set {
            guard let newValue else { return values.removeAll { $0.name == name } }
            if let index = values.firstIndex(where: { $0.name == name }) {
                values[index].text = newValue
            } else {
                values.append((name, newValue))
            }
        }
    }

    /// Saves all settings in effect.
    mutating func save() { (saved, savedValues) = (settings, values) }

    /// Loads the saved settings and values.
    mutating func load() { (settings, values) = (saved, savedValues) }

    /// Restores the factory settings, also as saved settings. Does not change `values`.
    mutating func reset() { (settings, saved) = (defaults, defaults) }

    /// Sets the interval of a sentence in epochs; 0 disables the sentence.
    mutating func set(_ sentence: CycleSentence, every epochs: Int) {
        settings.sentences[sentence] = epochs > 0 ? epochs : nil
    }

    /// Changes the time between epochs. Returns `false` if it is outside the range.
    mutating func set(milliseconds: Int, in range: ClosedRange<Int>) -> Bool {
        guard range.contains(milliseconds) else { return false }
        settings.period = Double(milliseconds) / 1000
        return true
    }

    /// The standard baud rates.
    static let baudRates = [
        4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
    ]

    /// Changes the baud rate. Returns `false` if it is not a standard rate. Has no effect on a
    /// receiver that is connected by USB.
    mutating func set(baudRate: Int) -> Bool {
        guard Self.baudRates.contains(baudRate) else { return false }
        if settings.baudRate != nil { settings.baudRate = baudRate }
        return true
    }
}

/// Interprets the commands of a receiver that is not from u-blox, and stores its settings.
struct CommandControl: ReceiverControl {
    private let dialect: CommandSet
    private var memory: CommandMemory
    private var unread: [UInt8] = []

    var settings: ReceiverSettings { memory.settings }

    /// Creates a receiver in which the settings of `configuration` are both in effect and saved.
    init(_ dialect: CommandSet, _ configuration: SimulatedReceiver.Configuration) {
        self.dialect = dialect
        let personality = configuration.personality
        let settings = ReceiverSettings(
            personality, period: 1 / configuration.effectiveRate,
            baudRate: configuration.baudRate?.rawValue)
        let factory = ReceiverSettings(
            personality, period: 1,
            baudRate: configuration.baudRate == nil ? nil : personality.baudRate.rawValue)
        memory = CommandMemory(settings: settings, saved: settings, defaults: factory)
        switch dialect {
        case .pqtm: memory.values = QuectelCommands.values
        case .unicore: memory.values = UnicoreCommands.values(settings)
        case .pmtk: memory.values = MediaTekCommands.values(settings)
        default: break
        }
        memory.savedValues = memory.values
    }

    mutating func restart(keepsBattery: Bool) {
        guard dialect == .pmtk else { return memory.load() }
        // A MediaTek chip has no command to save, and keeps its settings as long as its battery
        // lasts.
        if !keepsBattery { MediaTekCommands.reset(&memory) }
    }

    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverSnapshot) -> [ReceiverReaction] {
        unread += bytes.prefix(UBXControl.inputBuffer)
        var reactions: [ReceiverReaction] = []
        while let next = nextCommand() {
            let rate = memory.settings.baudRate
            var answer = respond(to: next, moment)
            if memory.settings.baudRate != rate {
                // The answer is sent at the new baud rate, after programs have had time to change
                // theirs.
                answer = answer.map {
                    if case .answer(let bytes, let delay) = $0 {
                        return .answer(bytes, after: max(delay, 0.02))
                    }
                    return $0
                }
            }
            reactions += answer
        }
        return reactions
    }

    /// A line of text without its line end, or a CASIC frame.
    private enum Command {
        case line(String)
        case frame(CASICFrame)
    }

    /// Removes and returns the next complete command; `nil` if there is none yet.
    private mutating func nextCommand() -> Command? {
        while let first = unread.first {
            if first == 0xB5 {
                // Skip a UBX frame, which a program sends to detect u-blox receivers.
                switch UBXFrame.recognise(unread.span, at: 0) {
                case .frame(let count): unread.removeFirst(count)
                case .incomplete: return nil
                case .none: unread.removeFirst()
                }
                continue
            }
            if first == CASICFrame.start {
                switch CASICFrame.recognise(unread[...]) {
                case .frame(let frame, let count):
                    unread.removeFirst(count)
                    return .frame(frame)
                case .incomplete: return nil
                case .none: unread.removeFirst()
                }
                continue
            }
            let newline = unread.firstIndex(of: UInt8(ascii: "\n"))
            // A frame may follow noise, such as bytes at another baud rate, which has no line end.
            if let noise = unread.firstIndex(where: Self.isNoise), noise < newline ?? .max {
                unread.removeFirst(max(noise, 1))
                continue
            }
            guard let end = newline else {
                // Limit the buffer, because noise may contain no line end.
                if unread.count > 512 { unread.removeFirst(unread.count - 512) }
                return nil
            }
            let line = unread[..<end].filter { 0x20...0x7E ~= $0 }
            unread.removeFirst(end + 1)
            if !line.isEmpty { return .line(String(decoding: line, as: UTF8.self)) }
        }
        return nil
    }

    /// Returns whether a byte cannot belong to a line of text.
    private static func isNoise(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20...0x7E, UInt8(ascii: "\r"), UInt8(ascii: "\n"): false
        default: true
        }
    }

    private mutating func respond(
        to command: Command, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction] {
        switch command {
        case .frame(let frame):
            guard dialect == .casic5 || dialect == .casic6 else { return [] }
            return CASICCommands(isNew: dialect == .casic6).respond(to: frame, &memory)
        case .line(let line):
            if dialect == .unicore { return UnicoreCommands().respond(to: line, &memory, moment) }
            guard let start = line.lastIndex(of: "$"),
                let command = TextCommand(line[line.index(after: start)...])
            else { return [] }
            switch dialect {
            case .casic5, .casic6:
                return CASICCommands(isNew: dialect == .casic6).respond(to: command, &memory)
            case .pmtk: return MediaTekCommands().respond(to: command, &memory)
            case .pair: return AirohaCommands().respond(to: command, &memory)
            case .pqtm: return QuectelCommands().respond(to: command, &memory)
            case .unicore: return []
            }
        }
    }
}

extension ReceiverReaction {
    /// Returns an answer with a sentence. `body` is the text between `$` and `*`.
    static func sentence(_ body: String, after seconds: Double = 0) -> ReceiverReaction {
        .answer(TextCommand.sentence(body), after: seconds)
    }

    /// Returns a restart of the whole receiver, including its port, with start-up texts.
    static func restart(_ startKind: ReceiverRestart.StartKind) -> ReceiverReaction {
        .restart(
            ReceiverRestart(startKind: startKind, includesPort: true, isAnnounced: true))
    }
}

extension String {
    /// Returns the text as bytes, followed by zeros up to `count` bytes.
    func padded(to count: Int) -> [UInt8] {
        Array(utf8) + [UInt8](repeating: 0, count: count - utf8.count)
    }
}

/// A command in the form of a proprietary sentence: `$PCAS02,1000*2E`.
struct TextCommand: Hashable, Sendable {
    /// The text before the first comma, without `$`.
    var name: String
    /// The fields after the name, without commas.
    var fields: [String]

    /// Parses the text between `$` and the line end. Returns `nil` if the checksum is missing or
    /// wrong.
    init?(_ line: Substring) {
        let parts = line.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let sum = UInt8(parts[1], radix: 16),
            sum == Self.checksum(parts[0].utf8)
        else { return nil }
        let texts = parts[0].split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        name = texts.first ?? ""
        fields = Array(texts.dropFirst())
    }

    /// Returns a field as an integer; `nil` if it is missing or not an integer.
    func number(_ index: Int) -> Int? { fields.indices.contains(index) ? Int(fields[index]) : nil }

    /// Returns a complete sentence: `start`, `body`, `*`, the checksum and the line end. If
    /// `checksum` is `nil`, the NMEA checksum of `body` is used.
    static func sentence(_ body: String, start: Character = "$", checksum: UInt8? = nil) -> [UInt8]
    {
        let sum = checksum ?? Self.checksum(body.utf8)
        let digits = String(hexadecimal: UInt64(sum), width: 2, isUppercase: true)
        return Array("\(start)\(body)*\(digits)\r\n".utf8)
    }

    /// Returns the NMEA checksum: the exclusive or of all bytes.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }
}

/// Interprets the commands of a simulated receiver and stores its settings.
protocol ReceiverControl: Sendable {
    /// The settings in effect.
    var settings: ReceiverSettings { get }

    /// Interprets bytes that a program has sent, and returns the reactions in order.
    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverSnapshot) -> [ReceiverReaction]

    /// Loads the stored settings after a power failure. If `keepsBattery` is `false`, the
    /// battery-backed memory is lost too.
    mutating func restart(keepsBattery: Bool)
}

/// The state of a simulated receiver when it receives a command.
struct ReceiverSnapshot {
    var time: UTCTime
    /// The observation of the last epoch; `nil` before the first one.
    var observation: SimulatedObservation?
    /// Returns the current content of a polled UBX message as a frame; empty if the receiver cannot
    /// send it.
    var poll: (UBXMessageID) -> [UInt8] = { _ in [] }
}

/// The reaction of a receiver to a command.
enum ReceiverReaction {
    /// Send bytes, which are complete messages, after a delay in seconds.
    case answer([UInt8], after: Double)
    case restart(ReceiverRestart)
    /// Change the time to the first fix because of assistance data.
    case assistance(Acquisition)
    /// Resume the epochs (`true`) or stop them (`false`).
    case run(Bool)
}

struct ReceiverRestart: Hashable, Sendable {
    /// The satellite data that a restart keeps.
    enum StartKind: Hashable, Sendable {
        /// All data.
        case hot
        /// Time and position, but not the ephemerides.
        case warm
        /// No data.
        case cold
    }

    /// The satellite data that the restart keeps.
    var startKind: StartKind
    /// Whether the port also restarts. During the restart, nothing is sent, and a USB port
    /// disappears.
    var includesPort = false
    /// Whether the receiver sends its start-up texts.
    var isAnnounced = false
    /// Whether the receiver sends one additional epoch at an irregular time, as after a change of
    /// constellations.
    var hasExtraEpoch = false
}

/// The settings of a simulated receiver that affect its output.
struct ReceiverSettings: Hashable, Sendable {
    /// The time between epochs in seconds.
    var period: Double
    /// The baud rate; `nil` for USB.
    var baudRate: Int?
    /// The interval of each enabled sentence in epochs.
    var sentences: [CycleSentence: Int]
    /// The interval of each enabled UBX message in epochs.
    var messages: [UBXMessageID: Int] = [:]
    /// Whether the receiver reads UBX frames.
    var acceptsUBX = true
    /// The version of NMEA 0183.
    var version: Personality.Version
    /// The enabled constellations, in the order of the sentences.
    var constellations: [Constellation]
    /// The signals of each constellation as NMEA 4.11 signal IDs, the main signal first.
    var signals: [Constellation: [UInt8]]
    /// The elevation in degrees below which no satellites are used.
    var minimumElevation = 5.0

    /// Creates the factory settings of a personality, with a period in seconds and a baud rate.
    init(_ personality: Personality, period: Double, baudRate: Int?) {
        self.period = period
        self.baudRate = baudRate
        sentences = Dictionary(
            personality.cycle.map { ($0, 1) }, uniquingKeysWith: { first, _ in first })
        version = personality.version
        constellations = personality.constellations
        signals = personality.allSignals
    }

    /// Returns a copy of the personality with these settings applied. The cycle of the copy
    /// contains every enabled sentence, regardless of the sentence's interval.
    func applied(to personality: Personality) -> Personality {
        var result = personality
        let added = CycleSentence.allCases.filter { !personality.cycle.contains($0) }
        result.cycle = (personality.cycle + added).filter { sentences[$0] != nil }
        result.version = version
        result.constellations = constellations
        result.signals = signals
        return result
    }
}
