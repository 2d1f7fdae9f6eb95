// SPDX-License-Identifier: MIT

/// The description of an option, for parsing, `--help`, completions and manual pages.
package struct OptionDescription: Sendable {
    /// The long name, without dashes.
    package var name: String
    /// The one-letter name, without a dash.
    package var letter: Character?
    /// The placeholder of the option's value in help, such as `FILE`; `nil` if it has no value.
    package var value: String?
    /// Whether the value may be omitted, as in `--summary` and `--summary=json`.
    package var isValueOptional = false
    /// A one-line description.
    package var help: String
    /// The possible values for shell completion; empty if they are not known.
    package var choices: [String] = []
    /// A former name that is still accepted but not shown in help.
    var formerName: String?
    /// Whether help, completions and manual pages leave the option out.
    var isHidden = false
    /// Whether the option may be given only once.
    var isSingle = false
    /// Whether the option may be set in a configuration file.
    var isForFiles = true

    /// Whether the option's value can be a path.
    package var takesFile: Bool { ["FILE", "PATH", "PLACE"].contains(value) }

    /// The options that every command has.
    static let common = [
        OptionDescription(name: "help", letter: "?", help: "Print this help"),
        OptionDescription(name: "usage", help: "Print a short usage message"),
        OptionDescription(name: "version", letter: "V", help: "Print the version"),
    ]
}
