// SPDX-License-Identifier: MIT
import CGPSArgp
import GNSS
import Glibc

extension Command {
    /// Returns the command with its arguments applied: those of its configuration file, then those
    /// of the command line. They follow GNU conventions.
    ///
    /// `--help`, `--version` and unknown options end the process.
    ///
    /// - Throws: `UsageError` or `ConfigurationFileError`.
    static func parsed(_ arguments: [String], of program: String) throws -> Self {
        let (command, given) = try parsedWords(arguments, of: program)
        guard let service else { return command }
        guard let path = command[keyPath: service].file else {
            guard !command[keyPath: service].isCheck else {
                throw UsageError("--check-config needs --config FILE")
            }
            return command
        }
        let file = try ConfigurationFile(path)
        var configured = try ConfiguredCommand<Self>(given: given, file: file).command()
        configured[keyPath: service].given = given
        configured[keyPath: service].configuration = file
        return configured
    }

    /// Returns the command with the words of the command line applied, and these words parsed as
    /// arguments.
    private static func parsedWords(
        _ arguments: [String], of program: String
    ) throws -> (command: Self, given: [Argument]) {
        let assembly = Assembly(Self())
        let table = OptionTable(options.map(\.description))
        defer { table.free() }
        let details = LineWrapping.wrapped(details, width: LineWrapping.columns - 2)
        let doc = details.isEmpty ? summary : "\(summary)\u{0B}\(details)"
        cargp_set_version("gpsbridge \(Release.version)")
        let status = Argp.parse(
            program, arguments, table, usage: argumentSyntax, doc: doc, assembly)
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
    /// The names of the options that may be given only once and have been given.
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
