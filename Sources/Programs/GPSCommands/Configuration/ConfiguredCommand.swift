// SPDX-License-Identifier: MIT
import GNSS

/// A command's arguments from a configuration file and from the command line, which takes
/// precedence.
struct ConfiguredCommand<C: Command> {
    /// The arguments on the command line.
    let given: [Argument]
    let file: ConfigurationFile

    /// The names of the arguments on the command line.
    private var overridden: Set<String> { Set(given.map(\.name)) }

    /// Returns the command with all arguments applied and checked.
    func command() throws(ConfigurationFileError) -> C {
        var errors: [TOMLError] = []
        for entry in file.entries {
            do { try check(entry) } catch { errors.append(error) }
        }
        guard errors.isEmpty else { throw ConfigurationFileError(file.path, errors) }
        let command = applying(file.entries)
        guard let reason = Self.problem(of: command) else { return command }
        throw error(reason)
    }

    /// Checks one entry of the file, independently of the other entries.
    private func check(_ entry: TOMLDocument.Entry) throws(TOMLError) {
        let arguments: [Argument]
        do {
            arguments = try C.arguments(entry)
        } catch {
            let isUnknown =
                C.option(entry.key)?.isForFiles != true && entry.key != ConfigurationFile.sources
            let isKey = isUnknown || !entry.table.isEmpty
            throw TOMLError(
                isKey ? "\(error)" : "\(entry.key): \(error)", entry.line,
                isKey ? entry.keyColumn : entry.column)
        }
        // A value that the command line overrides is not checked, because it may name a file that
        // does not exist.
        guard let name = arguments.first?.name, !overridden.contains(name) else { return }
        var command = C()
        do {
            for argument in arguments { try argument.apply(to: &command) }
        } catch {
            throw TOMLError("\(entry.key): \(error)", entry.line, entry.column)
        }
        guard arguments.count > 1, C.option(name)?.isSingle == true else { return }
        throw TOMLError("\(entry.key): expected one value", entry.line, entry.column)
    }

    /// Returns a command to which the given entries of the file and the arguments on the command
    /// line have been applied.
    private func applying(_ entries: [TOMLDocument.Entry]) -> C {
        var command = C()
        for entry in entries {
            for argument in (try? C.arguments(entry)) ?? []
            where !overridden.contains(argument.name) {
                // Errors are ignored, because each argument has already been checked.
                try? argument.apply(to: &command)
            }
        }
        for argument in given { try? argument.apply(to: &command) }
        return command
    }

    /// Returns the error for `reason`, which is a problem of the complete command. The error has
    /// the line and column of the first entry that causes it, or none if the command line alone
    /// causes it.
    private func error(_ reason: String) -> ConfigurationFileError {
        let index = file.entries.indices.first { index in
            Self.problem(of: applying(Array(file.entries[...index]))) == reason
        }
        guard let index, Self.problem(of: applying([])) != reason else {
            return ConfigurationFileError("\(file.path): \(reason)")
        }
        let entry = file.entries[index]
        return ConfigurationFileError(
            file.path, [TOMLError("\(entry.key): \(reason)", entry.line, entry.column)])
    }

    private static func problem(of command: C) -> String? {
        do {
            try command.check()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
