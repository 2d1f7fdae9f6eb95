// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
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

    /// The commands by which the chip reads and sets its settings.
    fileprivate var commands: any ChipCommands {
        switch self {
        case .casic5: CASICCommands(isNew: false)
        case .casic6: CASICCommands(isNew: true)
        case .pmtk: MediaTekCommands()
        case .pair: AirohaCommands()
        case .pqtm: QuectelCommands()
        case .unicore: UnicoreCommands()
        }
    }
}

/// The commands of a family of chips: those of its table, and others, which `configure` does not
/// use.
protocol ChipCommands: Sendable {
    var table: ChipTable { get }

    /// More commands that set the settings of the table.
    var otherSettings: [ChipSetting] { get }

    /// Returns the values without effect on the simulation of a receiver that starts with these
    /// settings, by name, in the order in which the receiver lists them.
    func values(_ settings: ReceiverSettings) -> [(name: String, text: String)]

    /// Interprets a command that is not in the table, or has another effect in this chip; `nil` for
    /// any other command.
    func respond(
        to command: ReceivedMessage, _ memory: inout CommandMemory, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction]?

    /// Returns the acknowledgement of a command, with the answer to it, if any.
    func acknowledge(
        _ command: ReceivedMessage, _ result: CommandResult, _ answer: [UInt8]
    ) -> [ReceiverReaction]
}

/// The result of a command.
enum CommandResult { case done, failed, unknown }

extension ChipCommands {
    var otherSettings: [ChipSetting] { [] }

    func values(_ settings: ReceiverSettings) -> [(name: String, text: String)] { [] }

    func acknowledge(
        _ command: ReceivedMessage, _ result: CommandResult
    ) -> [ReceiverReaction] {
        acknowledge(command, result, [])
    }

    /// Interprets a command.
    func reactions(
        to command: ReceivedMessage, _ memory: inout CommandMemory, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction] {
        if let reactions = respond(to: command, &memory, moment) { return reactions }
        for setting in table.settings + otherSettings {
            if let fields = setting.write.fields(in: command) {
                return acknowledge(command, memory.set(setting.value, fields) ? .done : .failed)
            }
            if let reply = setting.reply, setting.read?.fields(in: command) != nil {
                return acknowledge(command, .done, reply.bytes(memory.text(setting.value)))
            }
        }
        if let restart = table.restarts.first(where: { $0.value.fields(in: command) != nil }) {
            return acknowledge(command, .done) + [.restart(restart.key)]
        }
        if table.resets.contains(where: { $0.fields(in: command) != nil }) {
            memory.reset()
            return acknowledge(command, .done) + [.restart(.cold)]
        }
        guard table.saveCommand?.fields(in: command) != nil else {
            return acknowledge(command, .unknown)
        }
        memory.save()
        return acknowledge(command, .done)
    }
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

    /// Restores the factory settings, also as saved settings, and deletes the values.
    mutating func reset() { (settings, saved, values) = (defaults, defaults, []) }

    /// Sets a setting to the value in the fields of a command. Returns `false` if the chip does not
    /// have the value.
    mutating func set(_ value: ChipValue, _ fields: [String]) -> Bool {
        var wanted = ReceiverConfiguration()
        guard value.read(fields, into: &wanted) else { return false }
        if let periods = value.periods {
            let period = value.text(wanted).flatMap { Int($0) }
            guard let period, periods.contains(period) else { return false }
            if case .calculationPeriod = value {
                self[Self.calculationPeriod] = "\(period)"
            } else {
                settings.period = Double(period) / 1000
            }
        }
        for (name, epochs) in wanted.messages?.intervals ?? [:] {
            if let sentence = CycleSentence(rawValue: name) { set(sentence, every: epochs) }
        }
        if let angle = wanted.minimumElevation { settings.minimumElevation = Double(angle) }
        if let constellations = wanted.constellations { return set(Array(constellations)) }
        return wanted.baudRate.map { set(baudRate: $0) } ?? true
    }

    /// Returns the text of a setting in effect.
    func text(_ value: ChipValue) -> String {
        if case .calculationPeriod = value { return self[Self.calculationPeriod] ?? "1000" }
        var configuration = ReceiverConfiguration()
        configuration.rate = 1 / settings.period
        // A module that is connected by USB has a rate, too.
        configuration.baudRate = settings.baudRate ?? 460_800
        configuration.minimumElevation = Int(settings.minimumElevation)
        configuration.constellations = Set(settings.constellations)
        let sentences = settings.sentences.map { ($0.key.rawValue, $0.value) }
        configuration.messages = .list(Dictionary(sentences, uniquingKeysWith: { $1 }))
        return value.text(configuration) ?? ""
    }

    /// The name of the stored interval between the positions that a MediaTek chip calculates, in
    /// milliseconds. It does not affect the fixes: a simulated receiver has a new position in each
    /// epoch.
    static let calculationPeriod = "calculation period"

    /// Sets the interval of a sentence in epochs; 0 disables the sentence.
    mutating func set(_ sentence: CycleSentence, every epochs: Int) {
        settings.sentences[sentence] = epochs > 0 ? epochs : nil
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
        memory.values = dialect.commands.values(settings)
        memory.savedValues = memory.values
    }

    mutating func restart(keepsBattery: Bool) {
        guard dialect == .pmtk else { return memory.load() }
        // A MediaTek chip has no command to save, and keeps its settings as long as its battery
        // lasts.
        if !keepsBattery { memory.reset() }
    }

    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverSnapshot) -> [ReceiverReaction] {
        unread += bytes.prefix(UBXControl.inputBuffer)
        var reactions: [ReceiverReaction] = []
        while let next = nextCommand() {
            let rate = memory.settings.baudRate
            var answer = dialect.commands.reactions(to: next, &memory, moment)
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

    /// Removes and returns the next complete command; `nil` if there is none yet.
    private mutating func nextCommand() -> ReceivedMessage? {
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
                    return .casic(frame.id, frame.payload)
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
            if let command = command(in: line) { return command }
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

    /// Returns the command in a line without its line end; `nil` if a sentence has no valid
    /// checksum.
    private func command(in line: [UInt8]) -> ReceivedMessage? {
        if dialect == .unicore {
            return line.isEmpty ? nil : .line(String(decoding: line, as: UTF8.self))
        }
        guard let start = line.lastIndex(of: UInt8(ascii: "$")),
            case .message(let sentence, _) = TextLine.recognise(line[start...] + "\n".utf8)
        else { return nil }
        return sentence
    }
}

extension ReceiverReaction {
    /// Returns an answer with a sentence. `body` is the text between `$` and `*`.
    static func sentence(_ body: String, after seconds: Double = 0) -> ReceiverReaction {
        .answer(TextLine.sentence(body), after: seconds)
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
    let name: String
    /// The fields after the name, without commas.
    let fields: [String]

    /// Returns `nil` for a frame.
    init?(_ message: ReceivedMessage) {
        guard case .line(let line) = message else { return nil }
        let texts = line.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
        name = texts.first ?? ""
        fields = Array(texts.dropFirst())
    }

    /// Returns a field as an integer; `nil` if it is missing or not an integer.
    func number(_ index: Int) -> Int? { fields.indices.contains(index) ? Int(fields[index]) : nil }
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
    typealias StartKind = ConfigurationRequest.Restart

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
    /// Whether the receiver reads RTCM 3 messages.
    var acceptsRTCM = true
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
