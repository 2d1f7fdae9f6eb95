// SPDX-License-Identifier: MIT
import GNSS

/// An option or another argument of a command, with its value as text.
struct Argument: Sendable {
    /// The long name of the option; `ConfigurationFile.sources` for an argument that is not an
    /// option.
    var name: String
    /// The value; empty if none is given.
    var value: String

    /// Applies the argument to a command. Throws a `UsageError` if the value is not valid.
    func apply<C: Command>(to command: inout C) throws {
        guard let option = C.option(name) else {
            guard !value.isEmpty else {
                throw UsageError(
                    C.argumentSyntax.isEmpty
                        ? "an argument is empty: leave it out"
                        : "an argument is empty (expected \(C.argumentSyntax))")
            }
            return try command.addArgument(value)
        }
        if value.isEmpty, let name = option.value, !option.isValueOptional {
            throw UsageError("--\(option.name) is empty: it needs \(name)")
        }
        try option.apply(&command, value)
    }
}

extension Command {
    /// Returns the option whose name or former name is `name`; `nil` if there is none.
    static func option(_ name: String) -> CommandOption<Self>? {
        options.first { $0.name == name || $0.formerName == name }
    }

    /// Returns the arguments that are equivalent to an entry of a configuration file.
    static func arguments(_ entry: TOMLDocument.Entry) throws -> [Argument] {
        guard entry.table.isEmpty else {
            throw UsageError(
                "'\(entry.key)' is in the table [\(entry.table)], but tables are not supported: "
                    + "remove the line '[\(entry.table)]'")
        }
        let isSources = entry.key == ConfigurationFile.sources && !argumentSyntax.isEmpty
        let option = option(entry.key)
        guard isSources || option?.isForFiles == true else { throw unknown(entry.key) }
        let name = option?.name ?? entry.key
        let takesValue = isSources || option?.value != nil
        return switch entry.value {
        case .array(let values):
            try values.map { Argument(name: name, value: try text($0, takesValue)) }
        case .boolean(let isTrue) where !takesValue || option?.isValueOptional == true:
            isTrue ? [Argument(name: name, value: "")] : []
        case let value: [Argument(name: name, value: try text(value, takesValue))]
        }
    }

    private static func text(_ value: TOMLValue, _ takesValue: Bool) throws -> String {
        switch value {
        case .string(let text) where takesValue: return text
        case .integer, .number:
            guard takesValue else { break }
            return value.text
        default: break
        }
        let expected = takesValue ? "text in quotes or a number" : "true or false"
        throw UsageError("expected \(expected), not \(value.text)")
    }

    private static func unknown(_ key: String) -> UsageError {
        if option(key) != nil {
            return UsageError("'\(key)' can be given only on the command line")
        }
        let names = options.filter { $0.isForFiles && !$0.isHidden }.map(\.name).sorted()
        let all = argumentSyntax.isEmpty ? names : names + [ConfigurationFile.sources]
        return UsageError.unknown("key", key, known: all)
    }
}
