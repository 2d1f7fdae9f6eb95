// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// A TOML file that contains options of a command. Its keys are the long names of the options.
///
/// The key `sources` contains the arguments that are not options.
struct ConfigurationFile: Sendable {
    /// The key for the arguments that are not options.
    static let sources = "sources"
    /// The maximum size in bytes.
    private static let sizeLimit = 1 << 20

    let path: String
    let entries: [TOMLDocument.Entry]

    /// Reads and parses a file.
    init(_ path: String) throws(ConfigurationFileError) {
        self.path = path
        let (document, errors) = TOMLDocument.reading(try Self.text(path))
        guard errors.isEmpty else {
            throw ConfigurationFileError(path, errors)
        }
        entries = document.entries
    }

    private static func text(_ path: String) throws(ConfigurationFileError) -> String {
        // Without O_NONBLOCK, opening a pipe that no process writes to would wait for ever.
        let descriptor = open(FileName.native(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0, let file = fdopen(descriptor, "r") else {
            throw ConfigurationFileError("\(path): \(reason(errno))", status: 1)
        }
        defer { fclose(file) }
        // Reading waits for a process that writes to the pipe, such as that of `<(…)`.
        _ = fcntl(descriptor, F_SETFL, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else {
            throw ConfigurationFileError("\(path): \(reason(errno))", status: 1)
        }
        guard count > 0 || Node.Kind(of: descriptor) != .pipe else {
            throw ConfigurationFileError(
                "\(path): this pipe contains no data; check the program that writes to it")
        }
        guard count <= sizeLimit else {
            throw ConfigurationFileError(
                "\(path): the file is larger than \(sizeLimit) bytes; check the path given to "
                    + "--config")
        }
        return FileName.string(Array(bytes.prefix(count)))
    }

    /// Returns the reason why the file cannot be read, with advice. `error` is an `errno`.
    private static func reason(_ error: CInt) -> String {
        let advice =
            switch error {
            case ENOENT, ENOTDIR: "; check the path given to --config"
            case EISDIR: "; give --config the path of a file"
            case EACCES: "; permit this user to read it"
            default: ""
            }
        return String(cString: strerror(error)) + advice
    }

    /// The values by key.
    var values: [String: TOMLValue] {
        Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
    }
}

/// The errors in a configuration file, each with its line and column.
struct ConfigurationFileError: Error, CustomStringConvertible {
    /// The errors, such as `gpsbridge.toml:3:9: unknown key 'lisen'`.
    let lines: [String]
    /// The exit status: 2 for a wrong argument, and 1 for one that this machine cannot satisfy, such
    /// as a file that does not exist.
    let status: CInt

    /// Creates an error that concerns the whole file.
    init(_ line: String, status: CInt = 2) {
        lines = [line]
        self.status = status
    }

    init(lines: [String], status: CInt) { (self.lines, self.status) = (lines, status) }

    /// Creates the errors found in the file at `path`.
    init(_ path: String, _ errors: [TOMLError]) {
        status = 2
        lines = errors.map { "\(path):\($0.line):\($0.column): \($0.reason)" }
    }

    /// All errors, one per line.
    var description: String { lines.joined(separator: "\n") }
}

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

/// Rereads a command's configuration file while the command runs, and applies changes.
private final class ConfigurationReload<C: Command>: Sendable {
    private let arguments: ServiceArguments
    private let file: String
    private let apply: @Sendable (C) async throws -> Void
    /// The values in effect, by key.
    private let running: Mutex<[String: TOMLValue]>

    /// Creates an object that rereads the configuration file of a command; `nil` if the command has
    /// none. `apply` is called when keys in `C.changeableKeys` have changed.
    init?(of command: C, apply: @escaping @Sendable (C) async throws -> Void = { _ in }) {
        guard let arguments = C.service.map({ command[keyPath: $0] }), let file = arguments.file
        else { return nil }
        self.arguments = arguments
        self.file = file
        self.apply = apply
        running = Mutex(arguments.configuration?.values ?? [:])
    }

    /// Rereads the file, applies changes that can take effect now, and prints the keys that need a
    /// restart.
    func perform() async {
        do {
            let new = try ConfigurationFile(file)
            let command = try ConfiguredCommand<C>(given: arguments.given, file: new).command()
            let overridden = Set(arguments.given.map(\.name))
            let changed = changedKeys(new.values).filter { !overridden.contains($0) }
            let own = C.changeableKeys
            if changed.contains(where: own.contains) { try await apply(command) }
            if let service = C.service { StandardError.level = command[keyPath: service].level }
            let applied = changed.filter { own.contains($0) || MessageLevel.keys.contains($0) }
            running.withLock { values in
                for key in applied { values[key] = new.values[key] }
            }
            report(applied, changed.filter { !applied.contains($0) })
        } catch let error as ConfigurationFileError {
            for line in error.lines { StandardError.print(line, limit: 0, level: .error) }
            StandardError.print("\(file) has errors: nothing was changed", limit: 0, level: .error)
        } catch {
            StandardError.print("\(error): nothing was changed", limit: 0, level: .error)
        }
    }

    private func changedKeys(_ new: [String: TOMLValue]) -> [String] {
        let old = running.withLock { $0 }
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    private func report(_ applied: [String], _ waiting: [String]) {
        let isSame = applied.isEmpty && waiting.isEmpty
        let result =
            applied.isEmpty ? "" : ": changes of \(applied.joined(separator: ", ")) were applied"
        StandardError.print(
            "\(file) was read again\(isSame ? ": nothing has changed" : result)", limit: 0)
        guard !waiting.isEmpty else { return }
        StandardError.print(
            "warning: restart gpsbridge to apply the changes to \(waiting.joined(separator: ", "))",
            limit: 0,
            level: .warning)
    }
}

extension MessageLevel {
    /// The keys of the configuration file that select the level of messages.
    static let keys: Set<String> = ["quiet", "log-level"]
}

extension Command {
    /// Runs `work`, and rereads the configuration file at each SIGHUP. Without a file, SIGHUP calls
    /// `otherwise`. If that is `nil`, SIGHUP keeps its default action.
    package func reloading(
        _ apply: @escaping @Sendable (Self) async throws -> Void = { _ in },
        otherwise: (@Sendable () -> Void)? = nil,
        while work: @escaping @Sendable () async throws -> Void
    ) async throws {
        if let reload = ConfigurationReload(of: self, apply: apply) {
            try await Signals.reloading({ await reload.perform() }, while: work)
        } else if let otherwise {
            try await Signals.reloading(otherwise, while: work)
        } else {
            try await work()
        }
    }
}

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
        let problems = Self.problems(of: command)
        guard problems.isEmpty else { throw error(problems) }
        return command
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
            throw TOMLError("\(entry.key): \(Self.reason(error))", entry.line, entry.column)
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

    /// Returns the error for problems of the complete command. Each has the line and column of the
    /// first entry that causes it, or none if the command line alone causes it.
    private func error(_ problems: [Problem]) -> ConfigurationFileError {
        var unexplained = problems
        var lines = Dictionary(
            problems.map { ($0, "\(file.path): \($0.reason)") }, uniquingKeysWith: { $1 })
        let given = Self.problems(of: applying([]))
        unexplained.removeAll(where: given.contains)
        for (index, entry) in file.entries.enumerated() where !unexplained.isEmpty {
            let found = Self.problems(of: applying(Array(file.entries[...index])))
            for problem in unexplained where found.contains(problem) {
                let reason = "\(entry.key): \(problem.reason)"
                lines[problem] =
                    ConfigurationFileError(
                        file.path, [TOMLError(reason, entry.line, entry.column)]
                    ).description
            }
            unexplained.removeAll(where: found.contains)
        }
        return ConfigurationFileError(
            lines: problems.compactMap { lines[$0] }, status: problems.map(\.status).max() ?? 1)
    }

    /// An error of `check()` or `checkMachine(_:)`, with the exit status of the command without a
    /// configuration file.
    private struct Problem: Hashable {
        let reason: String
        let status: CInt
    }

    private static func problems(of command: C) -> [Problem] {
        var problems: [Problem] = []
        func attempt(_ check: () throws -> Void) {
            do {
                try check()
            } catch {
                let status: CInt = error is UsageError ? 2 : 1
                let problem = Problem(reason: reason(error), status: status)
                if !problems.contains(problem) { problems.append(problem) }
            }
        }
        attempt(command.check)
        let isCheck = C.service.map { command[keyPath: $0].isCheck } ?? false
        if isCheck, problems.allSatisfy({ $0.status == 1 }) { command.checkMachine(attempt) }
        return problems
    }

    /// The text of an error. Services are started before their receivers are plugged in.
    private static func reason(_ error: any Error) -> String {
        guard let missing = error as? DeviceError, missing.code == .notFound,
            missing.device.hasPrefix("/dev/tty")
        else { return "\(error)" }
        return "\(missing) Only names in /dev/serial and /dev/gnss are waited for."
    }
}
