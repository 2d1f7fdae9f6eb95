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

    /// Throws a `UsageError` for a long option that is unknown, but similar to a known one. argp
    /// reports the others.
    private static func checkNames(_ arguments: [String]) throws {
        let known = options.filter { !$0.isHidden }.map(\.name) + ["help", "usage", "version"]
        let accepted = known + options.flatMap { [$0.name, $0.description.formerName ?? $0.name] }
        var isValue = false
        for word in arguments {
            if word == "--" { return }
            guard !exchange(&isValue, with: false) else { continue }
            isValue = takesNextWord(word)
            guard word.hasPrefix("--") else { continue }
            let name = String(word.dropFirst(2).prefix { $0 != "=" })
            guard !accepted.contains(where: { $0.hasPrefix(name) }),
                let nearest = UsageError.nearest(name, of: known)
            else { continue }
            throw UsageError("unknown option '--\(name)'; did you mean '--\(nearest)'?")
        }
    }

    /// Returns whether the next word is the value of an option that this word gives.
    private static func takesNextWord(_ word: String) -> Bool {
        func needsValue(_ option: OptionDescription) -> Bool {
            option.value != nil && !option.isValueOptional
        }
        let all = options.map(\.description)
        if word.hasPrefix("--") {
            let name = word.dropFirst(2)
            let option =
                all.first { $0.name == name || $0.formerName.map { $0 == name } == true }
                ?? all.first { $0.name.hasPrefix(name) }
            return !name.contains("=") && option.map(needsValue) == true
        }
        guard word.hasPrefix("-"), word.count > 1 else { return false }
        // In a group such as `-ab`, the rest after a letter with a value is its value.
        let letters = word.dropFirst()
        let valued = letters.firstIndex { letter in
            all.contains { $0.letter == letter && $0.value != nil }
        }
        guard let valued, letters.index(after: valued) == letters.endIndex else { return false }
        return all.contains { $0.letter == letters[valued] && needsValue($0) }
    }

    /// Returns the command with the words of the command line applied, and these words parsed as
    /// arguments.
    private static func parsedWords(
        _ arguments: [String], of program: String
    ) throws -> (command: Self, given: [Argument]) {
        try checkNames(arguments)
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
