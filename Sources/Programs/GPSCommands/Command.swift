// SPDX-License-Identifier: MIT
import GNSS
package import GPSReceivers

/// A section of a manual page: a heading, and names with their explanations.
package typealias ManualSection = (heading: String, entries: [(name: String, text: String)])

/// A command of a program.
package protocol Command: Sendable, SendableMetatype {
    /// The name of the command on the command line.
    static var name: String { get }
    /// A one-line description.
    static var summary: String { get }
    /// The arguments other than options, as shown in the usage line, such as `[SOURCE]`.
    static var argumentSyntax: String { get }
    /// The text that `--help` prints after the options.
    static var details: String { get }
    /// Additional sections of the command's manual page.
    static var manual: [ManualSection] { get }
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
    package static var manual: [ManualSection] { [] }
    package static var options: [CommandOption<Self>] { [] }
    package static var service: (any WritableKeyPath<Self, ServiceArguments> & Sendable)? { nil }
    package static var changeableKeys: Set<String> { [] }

    package func check() throws {}

    package mutating func addArgument(_ word: String) throws {
        throw UsageError("unexpected argument '\(word)'")
    }
}

/// An option of a command: its description, and its effect.
@dynamicMemberLookup
package struct CommandOption<C>: Sendable {
    var description: OptionDescription
    /// Applies the option to the command. The text is empty if no value is given.
    let apply: @Sendable (inout C, String) throws -> Void

    /// Accesses a property of the description, as if it were a property of the option.
    package subscript<Value>(
        dynamicMember property: WritableKeyPath<OptionDescription, Value>
    ) -> Value {
        get { description[keyPath: property] }
        set { description[keyPath: property] = newValue }
    }
}

extension CommandOption {
    /// Creates an option without a value. `set` is called when the option is given.
    package init(
        _ name: String, _ letter: Character? = nil, help: String,
        set: @escaping @Sendable (inout C) -> Void
    ) {
        self.init(name, letter, value: nil, help: help) { command, _ in set(&command) }
    }

    /// Creates an option with a value. `isOptional` is whether the value may be omitted.
    package init(
        _ name: String, _ letter: Character? = nil, value: String?, isOptional: Bool = false,
        choices: [String] = [], formerly formerName: String? = nil, help: String,
        apply: @escaping @Sendable (inout C, String) throws -> Void
    ) {
        self.init(
            description: OptionDescription(
                name: name, letter: letter, value: value, isValueOptional: isOptional, help: help,
                choices: choices, formerName: formerName), apply: apply)
    }

    /// Creates a hidden option that is always rejected with a reason.
    package static func refused(_ name: String, because reason: String) -> CommandOption {
        var option = CommandOption(name, value: "VALUE", isOptional: true, help: "") { _, _ in
            throw UsageError("--\(name) \(reason)")
        }
        option.isHidden = true
        return option
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

    /// Returns the same option, restricted to be given only once.
    package func once() -> CommandOption {
        var option = self
        option.isSingle = true
        return option
    }

    /// Returns the same option, excluded from configuration files.
    func onCommandLine() -> CommandOption {
        var option = self
        option.isForFiles = false
        return option
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

extension CommandOption {
    /// Returns the option `--baud RATE`. `rate` is the property that stores the value.
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

    /// Returns the option `--live`, which states that a pipe's data comes from a live receiver.
    /// `isLive` is the property that stores it.
    package static func live(
        _ isLive: any WritableKeyPath<C, Bool> & Sendable
    ) -> CommandOption {
        CommandOption(
            "live",
            help:
                "Treat the data of a pipe as live, even if its times differ from this machine's clock"
        ) { $0[keyPath: isLive] = true }
    }

    /// Returns the option `--duration SECONDS`. `duration` is the property that stores the value,
    /// in seconds.
    package static func duration(
        _ duration: any WritableKeyPath<C, Double?> & Sendable,
        help: String = "End after this time, such as 90s, 15min or 1h"
    ) -> CommandOption {
        CommandOption("duration", "d", value: "SECONDS", help: help) {
            $0[keyPath: duration] = try DurationArgument.seconds($1, "duration")
        }
    }
}
