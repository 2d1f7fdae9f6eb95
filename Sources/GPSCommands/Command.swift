// SPDX-License-Identifier: MIT
package import GPSReceivers
import SimulatedDevices

/// A command of a program.
package protocol Command: Sendable, SendableMetatype {
    /// The name of the command on the command line.
    static var name: String { get }
    /// A one-line description.
    static var summary: String { get }
    /// The arguments other than options, as shown in the usage line, such as `[SOURCE]`.
    static var argumentSyntax: String { get }
    /// The text of `--help` after the options.
    static var details: String { get }
    /// Additional sections of the command's manual page.
    static var manual: [(heading: String, entries: [(name: String, text: String)])] { get }
    /// The options, in the order of `--help`.
    static var options: [CommandOption<Self>] { get }
    /// The property that contains `ServiceArguments`; `nil` for a command without a configuration
    /// file.
    static var service: (any WritableKeyPath<Self, ServiceArguments> & Sendable)? { get }
    /// The keys of the configuration file whose changes take effect while the command runs.
    static var changeableKeys: Set<String> { get }

    init()

    /// Adds an argument that is not an option. Throws a `UsageError` if no such argument is
    /// expected.
    mutating func addArgument(_ word: String) throws

    /// Checks that the arguments fit together, without side effects. Throws the error that `run()`
    /// would throw.
    func check() throws

    /// Runs the command.
    func run() async throws
}

extension Command {
    package static var details: String { "" }
    package static var manual: [(heading: String, entries: [(name: String, text: String)])] { [] }
    package static var options: [CommandOption<Self>] { [] }
    package static var service: (any WritableKeyPath<Self, ServiceArguments> & Sendable)? { nil }
    package static var changeableKeys: Set<String> { [] }

    package func check() throws {}

    package mutating func addArgument(_ word: String) throws {
        throw UsageError("unexpected argument '\(word)'")
    }
}

/// An option of a command, as shown by `--help`.
package struct CommandOption<C>: Sendable {
    /// The long name, without dashes.
    package var name: String
    /// The one-letter name, without a dash.
    package var letter: Character?
    /// The placeholder of the option's value in help, such as `FILE`; `nil` if it has no value.
    package var value: String?
    /// A one-line description.
    package var help: String
    /// The possible values for shell completion; empty if they are not known.
    package var choices: [String]
    /// Whether the value may be omitted, as in `--summary` and `--summary=json`.
    package var isValueOptional = false
    /// Whether help, completions and manual pages leave the option out.
    package var isHidden = false
    /// A former name that is still accepted but not shown in help.
    package var formerName: String?
    /// Whether the option may be given only once.
    package private(set) var isSingle = false
    /// Whether the option may be set in a configuration file.
    package private(set) var isForFiles = true
    /// Applies the option to the command. The text is empty if no value is given.
    package var apply: @Sendable (inout C, String) throws -> Void

    /// Creates an option without a value. `set` is called when the option is given.
    package init(
        _ name: String, _ letter: Character? = nil, help: String,
        set: @escaping @Sendable (inout C) -> Void
    ) {
        self.init(name, letter, value: nil, help: help) { command, _ in set(&command) }
    }

    /// Creates an option with a value.
    package init(
        _ name: String, _ letter: Character? = nil, value: String?,
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

    /// Creates a hidden option that is always rejected with a reason.
    package static func refused(_ name: String, because reason: String) -> CommandOption {
        var option = CommandOption(name, value: "VALUE", help: "") { _, _ in
            throw UsageError("--\(name) \(reason)")
        }
        (option.isHidden, option.isValueOptional) = (true, true)
        return option
    }

    /// Returns the option for a command that stores a `C` in a property.
    fileprivate func stored<Owner>(
        in property: any WritableKeyPath<Owner, C> & Sendable
    ) -> CommandOption<Owner> {
        var option = CommandOption<Owner>(
            name, letter, value: value, choices: choices, formerly: formerName, help: help
        ) { [apply] owner, text in
            try apply(&owner[keyPath: property], text)
        }
        (option.isValueOptional, option.isHidden) = (isValueOptional, isHidden)
        (option.isSingle, option.isForFiles) = (isSingle, isForFiles)
        return option
    }

    /// Returns the same option, restricted to be given only once.
    package func once() -> CommandOption {
        var option = self
        option.isSingle = true
        return option
    }

    /// Returns the same option, excluded from configuration files.
    package func onCommandLine() -> CommandOption {
        var option = self
        option.isForFiles = false
        return option
    }
}

extension Array {
    /// Returns the options of a group for a command that stores the group in a property.
    package func stored<Group, Owner>(
        in property: any WritableKeyPath<Owner, Group> & Sendable
    ) -> [CommandOption<Owner>] where Element == CommandOption<Group> {
        map { $0.stored(in: property) }
    }
}

extension CommandOption {
    /// Returns the option `--baud RATE`.
    package static func baudRate(
        _ rate: any WritableKeyPath<C, BaudRate?> & Sendable,
        help: String =
            "The receiver's baud rate, for a serial line (default: detected by listening)"
    ) -> CommandOption {
        CommandOption("baud", "b", value: "RATE", help: help) {
            $0[keyPath: rate] = BaudRate(
                rawValue: try Number.whole($1, "baud rate", in: 50...4_000_000))
        }
    }

    /// Returns the option `--live`.
    package static func live(
        _ isLive: any WritableKeyPath<C, Bool> & Sendable
    ) -> CommandOption {
        CommandOption(
            "live",
            help: "Treat the data of a pipe as live, even if its times differ from the clock"
        ) { $0[keyPath: isLive] = true }
    }

    /// Returns the option `--duration SECONDS`.
    package static func duration(
        _ duration: any WritableKeyPath<C, Double?> & Sendable,
        help: String = "End after this time, such as 90, 15min or 1h"
    ) -> CommandOption {
        CommandOption("duration", "d", value: "SECONDS", help: help) {
            $0[keyPath: duration] = try DurationArgument.seconds($1, "duration")
        }
    }
}
