// SPDX-License-Identifier: MIT
package import GPSReceivers
import SimulatedDevices

/// A command of a program.
package protocol Command: Sendable, SendableMetatype {
    /// Its name on the command line.
    static var name: String { get }
    /// A short description.
    static var summary: String { get }
    /// The arguments other than options, as shown in the usage: `[SOURCE]`.
    static var words: String { get }
    /// The text of `--help` after the options.
    static var details: String { get }
    /// Additional sections of its manual page.
    static var manual: [(heading: String, entries: [(name: String, text: String)])] { get }
    /// The options in the order of `--help`.
    static var options: [CommandOption<Self>] { get }

    init()

    /// Adds an argument that is not an option; throws a usage error if none is expected.
    mutating func addArgument(_ word: String) throws

    /// Runs the command.
    func run() async throws
}

extension Command {
    package static var details: String { "" }
    package static var manual: [(heading: String, entries: [(name: String, text: String)])] { [] }
    package static var options: [CommandOption<Self>] { [] }

    package mutating func addArgument(_ word: String) throws {
        throw UsageError("unexpected argument '\(word)'")
    }
}

/// One option of a command, as `--help` shows it.
package struct CommandOption<C>: Sendable {
    /// The long name, without dashes.
    package var name: String
    /// The short name.
    package var letter: Character?
    /// The name of its value in help; `nil` if it has none.
    package var value: String?
    /// A short description.
    package var help: String
    /// The possible values for shell completion; empty if they are not known.
    package var choices: [String]
    /// Whether its value may be left out, as in `--summary` and `--summary=json`.
    package var isValueOptional = false
    /// Whether help, completions and manual pages omit it.
    package var isHidden = false
    /// A former name that is still accepted; help does not show it.
    package var formerName: String?
    /// Whether a repetition is a usage error.
    package private(set) var isSingle = false
    /// Applies the option to the command; the value is empty if there is none.
    package var apply: @Sendable (inout C, String) throws -> Void

    /// Creates an option.
    package init(
        _ name: String, _ letter: Character? = nil, value: String? = nil,
        choices: [String] = [], formerly formerName: String? = nil, help: String,
        apply: @escaping @Sendable (inout C, String) throws -> Void
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.choices = choices
        self.formerName = formerName
        self.help = help
        self.apply = apply
    }

    /// Creates an option that is always refused with a reason.
    package static func refused(_ name: String, because reason: String) -> CommandOption {
        var option = CommandOption(name, value: "VALUE", help: "") { _, _ in
            throw UsageError("--\(name) \(reason)")
        }
        (option.isHidden, option.isValueOptional) = (true, true)
        return option
    }

    /// Returns the same option, limited to one use.
    package func once() -> CommandOption {
        var option = self
        option.isSingle = true
        return option
    }
}

extension CommandOption {
    /// `--baud RATE`.
    package static func baudRate(
        _ rate: any WritableKeyPath<C, BaudRate?> & Sendable,
        help: String =
            "The receiver's baud rate, for a serial line; left out, it is found by listening"
    ) -> CommandOption {
        CommandOption("baud", "b", value: "RATE", help: help) {
            $0[keyPath: rate] = BaudRate(
                rawValue: try Number.whole($1, "baud rate", in: 1...4_000_000))
        }
    }

    /// `--live`.
    package static func live(
        _ isLive: any WritableKeyPath<C, Bool> & Sendable
    ) -> CommandOption {
        CommandOption(
            "live", help: "What comes through a pipe is live, whatever its times and the clock say"
        ) { command, _ in command[keyPath: isLive] = true }
    }

    /// `--on-alarm` and `--alarm-command`.
    package static func alarms(
        _ alarms: any WritableKeyPath<C, AlarmArguments> & Sendable
    ) -> [CommandOption] {
        [
            CommandOption(
                "on-alarm", value: "mark|drop", choices: AlarmPolicy.allCases.map(\.rawValue),
                help: "Mark positions during an integrity alarm (default), or leave them out"
            ) {
                guard let policy = AlarmPolicy(rawValue: $1) else {
                    throw UsageError("not mark or drop: '\($1)'")
                }
                $0[keyPath: alarms].policy = policy
            },
            CommandOption(
                "alarm-command", value: "COMMAND",
                help:
                    "Run COMMAND by the shell when an alarm begins or ends; $1 is the state, $2 the device, $3 the reasons"
            ) { $0[keyPath: alarms].command = $1 },
        ]
    }

    /// `--duration SECONDS`.
    package static func duration(
        _ duration: any WritableKeyPath<C, Double?> & Sendable,
        help: String = "End after that time, as 90, 15min or 1h"
    ) -> CommandOption {
        CommandOption("duration", "d", value: "SECONDS", help: help) {
            $0[keyPath: duration] = try DurationArgument.seconds($1, "duration")
        }
    }
}
