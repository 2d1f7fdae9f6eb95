// SPDX-License-Identifier: MIT
import GPSReceivers
import UBX

/// The commands of a maker other than u-blox.
enum CommandDialect: String, Hashable, Sendable {
    /// Zhongke AT6558: PCAS, and CASIC's binary frames.
    case casic5
    /// Zhongke AT9880.
    case casic6
    /// MediaTek.
    case pmtk
    /// Airoha.
    case pair
    /// Quectel LG290P.
    case pqtm
    /// Unicore UM980.
    case unicore
}

/// The settings of a receiver with text commands.
struct CommandMemory: Sendable {
    /// The settings in effect, and those that last without power.
    var settings: ReceiverSettings
    var saved: ReceiverSettings
    let defaults: ReceiverSettings
    /// Other values by name, in the order of a list.
    var values: [(name: String, text: String)] = []
    var savedValues: [(name: String, text: String)] = []

    /// A value; `nil` if there is none of the name.
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

    /// Saves everything in effect.
    mutating func save() { (saved, savedValues) = (settings, values) }

    /// Puts what was saved into effect.
    mutating func load() { (settings, values) = (saved, savedValues) }

    /// Returns to the settings of the factory.
    mutating func reset() { (settings, saved) = (defaults, defaults) }

    /// Sets the number of epochs per sentence; 0 is off.
    mutating func set(_ sentence: CycleSentence, every epochs: Int) {
        settings.sentences[sentence] = epochs > 0 ? epochs : nil
    }

    /// Changes the time between epochs.
    mutating func set(milliseconds: Int, in range: ClosedRange<Int>) -> Bool {
        guard range.contains(milliseconds) else { return false }
        settings.period = Double(milliseconds) / 1000
        return true
    }

    /// Changes the rate of the line. USB converters of such receivers have none of their own.
    mutating func set(baudRate: Int) -> Bool {
        guard
            [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
                .contains(baudRate)
        else { return false }
        if settings.baudRate != nil { settings.baudRate = baudRate }
        return true
    }
}

/// The commands and the memory of a receiver of another maker than u-blox.
struct CommandControl: ReceiverControl {
    private let dialect: CommandDialect
    private var memory: CommandMemory
    private var unread: [UInt8] = []

    var settings: ReceiverSettings { memory.settings }

    /// Creates a control with the settings of a personality.
    init(_ dialect: CommandDialect, _ configuration: SimulatedReceiver.Configuration) {
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
        case .pqtm: memory.values = QuectelDialect.values
        case .unicore: memory.values = UnicoreDialect.values
        default: break
        }
        memory.savedValues = memory.values
    }

    mutating func restart(keepsBattery: Bool) {
        if !keepsBattery, dialect == .pmtk { memory.reset() }
        memory.load()
    }

    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverMoment) -> [ReceiverReaction] {
        unread += bytes.prefix(UBXControl.inputBuffer)
        var reactions: [ReceiverReaction] = []
        while let next = nextCommand() {
            let rate = memory.settings.baudRate
            var answer = respond(to: next, moment)
            if memory.settings.baudRate != rate {
                // The answer is sent at the new rate, once programs had time to change theirs.
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

    /// A line of text, or a frame.
    private enum Command {
        case line(String)
        case frame(CasicFrame)
    }

    /// Removes the next whole command.
    private mutating func nextCommand() -> Command? {
        while let first = unread.first {
            if first == 0xB5 {
                // A program that looks for a u-blox.
                switch UBXFrame.recognise(unread.span, at: 0) {
                case .frame(let count): unread.removeFirst(count)
                case .incomplete: return nil
                case .none: unread.removeFirst()
                }
                continue
            }
            if first == CasicFrame.start[0] {
                switch CasicFrame.read(unread) {
                case .frame(let frame, let count):
                    unread.removeFirst(count)
                    return .frame(frame)
                case .incomplete: return nil
                case .none: unread.removeFirst()
                }
                continue
            }
            guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else {
                // Noise does not fill the memory.
                if unread.count > 512 { unread.removeFirst(unread.count - 512) }
                return nil
            }
            let line = unread[..<end].filter { 0x20...0x7E ~= $0 }
            unread.removeFirst(end + 1)
            if !line.isEmpty { return .line(String(decoding: line, as: UTF8.self)) }
        }
        return nil
    }

    private mutating func respond(
        to command: Command, _ moment: ReceiverMoment
    ) -> [ReceiverReaction] {
        switch command {
        case .frame(let frame):
            guard dialect == .casic5 || dialect == .casic6 else { return [] }
            return CasicDialect(isNew: dialect == .casic6).respond(to: frame, &memory)
        case .line(let line):
            if dialect == .unicore { return UnicoreDialect().respond(to: line, &memory, moment) }
            guard let start = line.lastIndex(of: "$"),
                let command = TextCommand(line[line.index(after: start)...])
            else { return [] }
            switch dialect {
            case .casic5, .casic6:
                return CasicDialect(isNew: dialect == .casic6).respond(to: command, &memory)
            case .pmtk: return MediaTekDialect().respond(to: command, &memory)
            case .pair: return AirohaDialect().respond(to: command, &memory)
            case .pqtm: return QuectelDialect().respond(to: command, &memory)
            case .unicore: return []
            }
        }
    }
}

extension ReceiverReaction {
    /// An answer in the form of a sentence.
    static func sentence(_ body: String, after seconds: Double = 0) -> ReceiverReaction {
        .answer(TextCommand.sentence(body), after: seconds)
    }

    /// A restart of the whole receiver.
    static func restart(_ knowledge: ReceiverRestart.Knowledge) -> ReceiverReaction {
        .restart(
            ReceiverRestart(knowledge: knowledge, includesPort: true, isAnnounced: true))
    }
}
