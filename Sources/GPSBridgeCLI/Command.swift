// SPDX-License-Identifier: MIT
import Devices

/// A command of `gpsbridge`.
protocol Command: Sendable, SendableMetatype {
    /// Its name on the command line.
    static var name: String { get }
    /// What it does, in a few words.
    static var summary: String { get }
    /// Its arguments besides options, as in usage: `[SOURCE]`.
    static var words: String { get }
    /// The text of `--help` below the options.
    static var details: String { get }
    /// Further sections of its manual page.
    static var manual: [(heading: String, entries: [(name: String, text: String)])] { get }
    /// Its options.
    static var options: [CommandOption<Self>] { get }

    init()

    /// Adds an argument that is no option; throws where none is expected.
    mutating func take(_ word: String) throws

    /// Runs the command.
    func run() async throws
}

extension Command {
    static var details: String { "" }
    static var manual: [(heading: String, entries: [(name: String, text: String)])] { [] }
    static var options: [CommandOption<Self>] { [] }

    mutating func take(_ word: String) throws {
        throw UsageError("unexpected argument '\(word)'")
    }
}

/// One option of a command, as `--help` shows it.
struct CommandOption<C>: Sendable {
    /// The long name, without dashes.
    var name: String
    /// The short name.
    var letter: Character?
    /// The name of its value in help; `nil` where it has none.
    var value: String?
    /// What it does.
    var help: String
    /// The possible values, where they are known; shells complete them.
    var choices: [String]
    /// Whether its value may be left out, as in `--summary` and `--summary=json`.
    var isValueOptional = false
    /// A former name that is still accepted; help does not show it.
    var formerName: String?
    /// Applies it to the command; the value is empty where it has none.
    var apply: @Sendable (inout C, String) throws -> Void

    init(
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
}

extension CommandOption {
    /// `--baud RATE`.
    static func baudRate(
        _ rate: any WritableKeyPath<C, BaudRate?> & Sendable,
        help: String = "The receiver's baud rate; left out, it is found by listening"
    ) -> CommandOption {
        CommandOption("baud", "b", value: "RATE", help: help) {
            guard let value = Int($1).flatMap({ BaudRate(rawValue: $0) }) else {
                throw UsageError("baud rate '\($1)' is not a whole number from 1 to 4000000")
            }
            $0[keyPath: rate] = value
        }
    }

    /// `--duration SECONDS`.
    static func duration(
        _ duration: any WritableKeyPath<C, Double?> & Sendable,
        help: String = "End after that time, as 90, 15min or 1h"
    ) -> CommandOption {
        CommandOption("duration", "d", value: "SECONDS", help: help) {
            $0[keyPath: duration] = try DurationArgument.seconds($1, "duration")
        }
    }
}

/// `gpsbridge` without a command.
struct Overview: Command {
    static let name = ""
    static let summary = "Location services for Linux, from any GPS receiver that speaks NMEA 0183."
    static let words = "COMMAND [OPTION...]"

    static var details: String {
        let width = (Program.names.map(\.count).max() ?? 0) + 2
        let lines = Program.commands.map { command in
            "  " + command.name
                + String(repeating: " ", count: width - command.name.count) + command.summary
        }
        return "Commands:\n" + lines.joined(separator: "\n")
            + "\n\n`gpsbridge help COMMAND` tells more.\n\n" + ExitStatus.table
    }

    static let options: [CommandOption<Overview>] = [
        .init(
            "completions", value: "SHELL", choices: Shell.allCases.map(\.rawValue),
            help: "Print what a shell needs to complete words: bash, zsh or fish"
        ) {
            guard let shell = Shell(rawValue: $1) else {
                throw UsageError.unknown("shell", $1, known: Shell.allCases.map(\.rawValue))
            }
            $0.text = shell.completions
        },
        .init(
            "man-page", value: "COMMAND", choices: ["gpsbridge"] + Program.names,
            help: "Print the manual page of a command, or gpsbridge"
        ) {
            $0.text = try ManualPage.named($1).text
        },
    ]

    /// The text to print, where an option asked for one.
    private var text: String?

    init() {}

    func run() async throws {
        guard let text else {
            let names = Program.names.joined(separator: ", ")
            throw UsageError("a command is missing: \(names)")
        }
        try StandardOutput().write(Array(text.utf8))
    }
}
