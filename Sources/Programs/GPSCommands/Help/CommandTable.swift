// SPDX-License-Identifier: MIT

/// A command's options and texts for completions and manual pages. They are the same as those of
/// `--help`.
package struct CommandTable {
    package let name: String
    package let summary: String
    private(set) var argumentSyntax = ""
    private(set) var details = ""
    private(set) var manual: [ManualSection] = []
    package private(set) var options = OptionDescription.common

    /// Whether an argument can be a file.
    package var takesFiles: Bool {
        argumentSyntax.contains("FILE") || argumentSyntax.contains("SOURCE")
    }

    /// Creates the table of a command.
    package init<C: Command>(_ command: C.Type) {
        name = C.name
        summary = C.summary
        argumentSyntax = C.argumentSyntax
        details = C.details
        manual = C.manual
        options =
            C.options.map(\.description).filter { !$0.isHidden }.sorted { $0.name < $1.name }
            + OptionDescription.common
    }

    /// Creates the table of a command that another program implements. Only the common options are
    /// listed.
    package init(name: String, summary: String) {
        self.name = name
        self.summary = summary
    }

    /// Returns the tables of several commands.
    package static func all(_ commands: [any Command.Type]) -> [CommandTable] {
        commands.map { CommandTable($0) }
    }
}
