// SPDX-License-Identifier: MIT

/// A command's options and texts for completions and manual pages. They are the same as those of
/// `--help`.
package struct CommandTable {
    /// An option of any command.
    package struct Option {
        package let name: String
        package let letter: Character?
        package let value: String?
        package let help: String
        package let choices: [String]
        package var isValueOptional = false

        /// Whether the option's value is a path.
        package var takesFile: Bool { value == "FILE" || value == "PATH" }
    }

    package let name: String
    package let summary: String
    package let argumentSyntax: String
    package let details: String
    package let manual: [(heading: String, entries: [(name: String, text: String)])]
    package let options: [Option]

    /// Whether an argument can be a file.
    package var takesFiles: Bool {
        argumentSyntax.contains("FILE") || argumentSyntax.contains("SOURCE")
    }

    /// The options that every command has.
    package static let common = [
        Option(name: "help", letter: "?", value: nil, help: "Print this help", choices: []),
        Option(
            name: "usage", letter: nil, value: nil, help: "Print a short usage message", choices: []
        ),
        Option(
            name: "version", letter: "V", value: nil, help: "Print the version", choices: []),
    ]

    /// Creates the table of a command.
    package init<C: Command>(_ command: C.Type) {
        name = C.name
        summary = C.summary
        argumentSyntax = C.argumentSyntax
        details = C.details
        manual = C.manual
        let own = C.options.filter { !$0.isHidden }.map {
            Option(
                name: $0.name, letter: $0.letter, value: $0.value, help: $0.help,
                choices: $0.choices, isValueOptional: $0.isValueOptional)
        }
        options = own.sorted { $0.name < $1.name } + Self.common
    }

    /// Creates the table of a command that another program implements. Only the common options are
    /// listed.
    package init(name: String, summary: String) {
        self.name = name
        self.summary = summary
        argumentSyntax = ""
        details = ""
        manual = []
        options = Self.common
    }

    /// Returns the tables of several commands.
    package static func all(_ commands: [any Command.Type]) -> [CommandTable] {
        commands.map { table($0) }
    }

    private static func table<C: Command>(_ command: C.Type) -> CommandTable {
        CommandTable(command)
    }
}
