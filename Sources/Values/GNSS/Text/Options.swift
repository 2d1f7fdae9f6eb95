// SPDX-License-Identifier: MIT

/// A row of a table of options: its name, its value and its help, and its effect on the owner of the
/// table, such as a command or the settings of a simulated receiver.
///
/// Command lines, configuration files, `--help`, completions, manual pages and messages use the same
/// row.
@dynamicMemberLookup
package struct CommandOption<C>: Sendable {
    package private(set) var description: OptionDescription
    /// Applies the option to its owner. The text is empty if no value is given.
    package let apply: @Sendable (inout C, String) throws -> Void

    /// Accesses a property of the description, as if it were a property of the option.
    package subscript<Value>(
        dynamicMember property: KeyPath<OptionDescription, Value>
    ) -> Value { description[keyPath: property] }
}

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
    /// A description of the value if the option is also a key, as in `simulated:KEY=VALUE`.
    package var keyHelp: String?
    /// A former name that is still accepted but not shown in help.
    package var formerName: String?
    /// Whether help, completions and manual pages leave the option out.
    package var isHidden = false
    /// Whether the option may be given only once.
    package var isSingle = false
    /// Whether the option may be set in a configuration file.
    package var isForFiles = true

    /// Whether the option's value can be a path.
    package var takesFile: Bool { ["FILE", "PATH", "PLACE"].contains(value) }

    /// The options that every command has.
    package static let common = [
        OptionDescription(name: "help", letter: "?", help: "Print this help"),
        OptionDescription(name: "usage", help: "Print a short usage message"),
        OptionDescription(name: "version", letter: "V", help: "Print the version"),
    ]
}

extension CommandOption {
    /// Creates an option with an effect of its own. `value` is the placeholder of its value; `nil` if
    /// it has none.
    package init(
        _ name: String, letter: Character? = nil, value: String? = nil,
        choices: [String] = [], _ help: String,
        apply: @escaping @Sendable (inout C, String) throws -> Void
    ) {
        description = OptionDescription(
            name: name, letter: letter, value: value, help: help, choices: choices)
        self.apply = apply
    }

    /// Creates an option without a value that sets a property to `true`.
    package init(
        _ name: String, letter: Character? = nil,
        _ property: any WritableKeyPath<C, Bool> & Sendable, _ help: String
    ) {
        self.init(name, letter: letter, help) { owner, _ in owner[keyPath: property] = true }
    }

    /// Creates an option that stores its value in a property.
    package init<Value>(
        _ name: String, letter: Character? = nil,
        _ property: any WritableKeyPath<C, Value> & Sendable, _ form: ArgumentForm<Value>,
        _ help: String
    ) {
        self.init(name, letter: letter, form, help) { owner, value in
            owner[keyPath: property] = value
        }
    }

    /// Creates an option that stores its value in a property, which is `nil` without it.
    package init<Value>(
        _ name: String, letter: Character? = nil,
        _ property: any WritableKeyPath<C, Value?> & Sendable, _ form: ArgumentForm<Value>,
        _ help: String
    ) {
        self.init(name, letter: letter, form, help) { owner, value in
            owner[keyPath: property] = value
        }
    }

    /// Creates an option that may be given several times, and appends each value to a property.
    package init<Value>(
        _ name: String, letter: Character? = nil,
        adding property: any WritableKeyPath<C, [Value]> & Sendable, _ form: ArgumentForm<Value>,
        _ help: String
    ) {
        self.init(name, letter: letter, form, help) { owner, value in
            owner[keyPath: property].append(value)
        }
    }

    /// Creates an option whose value `set` stores.
    package init<Value>(
        _ name: String, letter: Character? = nil, _ form: ArgumentForm<Value>, _ help: String,
        set: @escaping @Sendable (inout C, Value) throws -> Void
    ) {
        self.init(name, letter: letter, value: form.placeholder, choices: form.choices, help) {
            try set(&$0, try form.parse($1, name))
        }
    }

    /// Creates a hidden option that is always rejected with a reason.
    package static func refused(_ name: String, because reason: String) -> CommandOption {
        CommandOption(name, value: "VALUE", "") { _, _ in
            throw UsageError("--\(name) \(reason)")
        }.with(\.isHidden).with(\.isValueOptional)
    }

    /// Returns the same option, restricted to be given only once.
    package func once() -> CommandOption { with(\.isSingle) }

    /// Returns the same option, excluded from configuration files.
    package func onCommandLine() -> CommandOption { with(\.isForFiles, false) }

    /// Returns the same option, which is also accepted by a former name.
    package func formerly(_ name: String) -> CommandOption { with(\.formerName, name) }

    /// Returns the same option, whose value may be omitted: then it is `value`.
    package func withOptionalValue(_ value: String) -> CommandOption {
        CommandOption(description: with(\.isValueOptional).description) { [apply] in
            try apply(&$0, $1.isEmpty ? value : $1)
        }
    }

    /// Returns the same option, which is also a key, as in `simulated:KEY=VALUE`. `help` describes
    /// the value.
    package func key(_ help: String) -> CommandOption { with(\.keyHelp, help) }

    private func with<Value>(
        _ property: WritableKeyPath<OptionDescription, Value>, _ value: Value
    ) -> CommandOption {
        var option = self
        option.description[keyPath: property] = value
        return option
    }

    private func with(_ property: WritableKeyPath<OptionDescription, Bool>) -> CommandOption {
        with(property, true)
    }

    /// Returns this option for an owner, such as a command, that stores a value of type `C` in
    /// `property`.
    fileprivate func stored<Owner>(
        in property: any WritableKeyPath<Owner, C> & Sendable
    ) -> CommandOption<Owner> {
        CommandOption<Owner>(description: description) { [apply] owner, text in
            try apply(&owner[keyPath: property], text)
        }
    }
}

extension Array {
    /// Returns the options of a group for an owner, such as a command, that stores the group in
    /// `property`.
    package func stored<Group, Owner>(
        in property: any WritableKeyPath<Owner, Group> & Sendable
    ) -> [CommandOption<Owner>] where Element == CommandOption<Group> {
        map { $0.stored(in: property) }
    }
}
