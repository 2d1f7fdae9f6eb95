// SPDX-License-Identifier: MIT
import CGPSArgp
import GNSS
import Glibc
import SimulatedDevices

/// Parses a command's arguments by GNU conventions: `--help`, `--version` and abbreviated options.
package struct ArgumentParser<C: Command> {
    private let program: String
    private let arguments: [String]

    /// Creates a parser of a program's arguments.
    package init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Applies the arguments to `command`: those of its configuration file, then those of the
    /// command line.
    ///
    /// `--help`, `--version` and unknown options end the process.
    ///
    /// - Throws: `UsageError` or `ConfigurationFileError`.
    package func parse(_ command: C) throws -> C {
        let (command, given) = try parseWords(command)
        guard let service = C.service else { return command }
        guard let path = command[keyPath: service].file else {
            guard !command[keyPath: service].isCheck else {
                throw UsageError("--check-config needs --config FILE")
            }
            return command
        }
        let file = try ConfigurationFile(path)
        var configured = try ConfiguredCommand<C>(given: given, file: file).command()
        configured[keyPath: service].given = given
        configured[keyPath: service].configuration = file
        return configured
    }

    /// Applies the words of the command line to `command`. Also returns them as arguments.
    private func parseWords(_ command: C) throws -> (command: C, given: [Argument]) {
        let assembly = Assembly(command)
        let table = OptionTable(C.options.map(\.description))
        defer { table.free() }
        let details = LineWrapping.wrapped(C.details, width: LineWrapping.columns - 2)
        let doc = details.isEmpty ? C.summary : "\(C.summary)\u{0B}\(details)"
        cargp_set_version("gpsbridge \(Release.version)")
        let status = Argp.parse(
            program, arguments, table, usage: C.argumentSyntax, doc: doc, assembly)
        if let error = assembly.error { throw error }
        guard status == 0 else { throw UsageError(String(cString: strerror(status))) }
        return (assembly.command, assembly.arguments)
    }
}

/// Applies options and arguments to a command when argp reports them.
private final class Assembly<C: Command>: Argp.Handler {
    var command: C
    var error: (any Error)?
    private(set) var arguments: [Argument] = []
    /// The names of the given options that may be given only once.
    private var given: Set<String> = []

    init(_ command: C) {
        self.command = command
    }

    override func take(_ key: CInt, _ value: String) -> CInt {
        do {
            if key == CInt(cargp_word) {
                try apply(Argument(name: ConfigurationFile.sources, value: value))
            } else if key >= OptionTable.firstKey {
                let index = Int(key - OptionTable.firstKey)
                if index < C.options.count { try apply(C.options[index], value) }
            } else if let option = C.options.first(where: { $0.description.letterKey == key }) {
                try apply(option, value)
            }
            return 0
        } catch {
            self.error = error
            return EINVAL
        }
    }

    private func apply(_ argument: Argument) throws {
        try argument.apply(to: &command)
        arguments.append(argument)
    }

    private func apply(_ option: CommandOption<C>, _ value: String) throws {
        // An invalid value is reported before a repetition.
        try apply(Argument(name: option.name, value: value))
        guard option.isSingle, !given.insert(option.name).inserted else { return }
        throw UsageError("--\(option.name) can be given only once")
    }
}
