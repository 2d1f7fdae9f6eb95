// SPDX-License-Identifier: MIT

/// A command as completions and manual pages see it: the same tables that `--help` shows.
struct CommandTable {
    /// An option, whichever command's.
    struct Option {
        let name: String
        let letter: Character?
        let value: String?
        let help: String
        let choices: [String]
        var isValueOptional = false

        /// Whether its value is a file.
        var takesFile: Bool { value == "FILE" || value == "PATH" }
    }

    let name: String
    let summary: String
    let words: String
    let details: String
    let manual: [(heading: String, entries: [(name: String, text: String)])]
    let options: [Option]

    /// Whether its words are files, or may be.
    var takesFiles: Bool { words.contains("FILE") || words.contains("SOURCE") }

    /// The options of every command.
    static let common = [
        Option(name: "help", letter: "?", value: nil, help: "Give this help list", choices: []),
        Option(
            name: "usage", letter: nil, value: nil, help: "Give a short usage message", choices: []),
        Option(
            name: "version", letter: "V", value: nil, help: "Print program version", choices: []),
    ]

    init<C: Command>(_ command: C.Type) {
        name = C.name
        summary = C.summary
        words = C.words
        details = C.details
        manual = C.manual
        let own = C.options.map {
            Option(
                name: $0.name, letter: $0.letter, value: $0.value, help: $0.help,
                choices: $0.choices, isValueOptional: $0.isValueOptional)
        }
        options = own.sorted { $0.name < $1.name } + Self.common
    }

    /// Those of all commands.
    static var all: [CommandTable] { Program.commands.map { table($0) } }

    /// That of `gpsbridge` without a command.
    static var overview: CommandTable { CommandTable(Overview.self) }

    private static func table<C: Command>(_ command: C.Type) -> CommandTable {
        CommandTable(command)
    }
}
