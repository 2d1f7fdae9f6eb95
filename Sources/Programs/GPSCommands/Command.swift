// SPDX-License-Identifier: MIT
import CGPSArgp
import CGPSLoading
import CGPSSignals
package import GNSS
import GPSIO
package import GPSReceivers
import Glibc

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

    /// Checks what the start needs on this machine, for `--check-config`. Each check is passed to
    /// `attempt`, which reports its error, so that all errors are found at once. It is not called
    /// after a `UsageError` of `check()`.
    func checkMachine(_ attempt: (() throws -> Void) -> Void)

    func run() async throws
}

extension Command {
    package static var details: String { "" }
    package static var manual: [ManualSection] { [] }
    package static var options: [CommandOption<Self>] { [] }
    package static var service: (any WritableKeyPath<Self, ServiceArguments> & Sendable)? { nil }
    package static var changeableKeys: Set<String> { [] }

    package func check() throws {}
    package func checkMachine(_ attempt: (() throws -> Void) -> Void) {}

    package mutating func addArgument(_ word: String) throws {
        throw UsageError("unexpected argument '\(word)'")
    }
}

extension CommandOption {
    /// Returns the option `--baud RATE`. `rate` is the property that stores the value.
    package static func baudRate(
        _ rate: any WritableKeyPath<C, BaudRate?> & Sendable, name: String = "baud",
        letter: Character? = "b",
        _ help: String =
            "The receiver's baud rate, for a serial line (default: detected by listening)"
    ) -> CommandOption {
        CommandOption(
            name, letter: letter, .whole("RATE", 50...4_000_000, called: "baud rate"), help
        ) {
            $0[keyPath: rate] = BaudRate(rawValue: $1)
        }
    }

    /// Returns the option `--live`, which states that a pipe's data comes from a live receiver.
    /// `isLive` is the property that stores it.
    package static func live(
        _ isLive: any WritableKeyPath<C, Bool> & Sendable
    ) -> CommandOption {
        CommandOption(
            "live", isLive,
            "Treat the data of a pipe as live, even if its times differ from this machine's clock")
    }

    /// Returns the option `--speed X`. `speed` is the property that stores the value.
    package static func speed(
        _ speed: any WritableKeyPath<C, Double?> & Sendable
    ) -> CommandOption {
        CommandOption(
            "speed", speed, .number("X", 0.001...1e6), "Replay a recording X times as fast")
    }

    /// Returns the option `--duration SECONDS`. `duration` is the property that stores the value,
    /// in seconds.
    package static func duration(
        _ duration: any WritableKeyPath<C, Double?> & Sendable,
        _ help: String = "End after this time, such as 90s, 15min or 1h"
    ) -> CommandOption {
        CommandOption("duration", letter: "d", duration, .seconds(), help)
    }
}

/// A program with several commands. The first argument selects the command.
package protocol CommandProgram: SendableMetatype {
    /// The command that runs if no command is given.
    associatedtype DefaultCommand: Command

    /// The commands, in the order of `--help`.
    static var commands: [any Command.Type] { get }

    /// The names of the commands that `runExternal(_:)` runs.
    static var otherNames: [String] { get }

    /// Runs a command that is implemented by another program. `arguments` begins with the command's
    /// name. Returns `false` if there is no such command.
    static func runExternal(_ arguments: [String]) throws -> Bool
}

extension CommandProgram {
    package static var names: [String] { commands.map { $0.name } }

    /// By default, no command is implemented by another program.
    package static var otherNames: [String] { [] }

    /// By default, returns `false`: no command is implemented by another program.
    package static func runExternal(_ arguments: [String]) throws -> Bool { false }

    /// The words of the command line. Words that are not valid UTF-8 are preserved, because they
    /// may be file names.
    package static var arguments: [String] { Argp.processWords }

    /// The time after which no command is still starting.
    private static var startSeconds: CInt { 5 }

    /// Runs the command and ends the process with its exit status.
    package static func start() -> Never {
        Signals.prepare()
        if let problem = Resources.prepare() {
            StandardError.print(problem)
            exit(1)
        }
        Argp.setColumns(LineWrapping.columns)
        Argp.checkOutputAtExit()
        Task.detached(executorPreference: BackgroundExecutor.shared) { exit(await run(arguments)) }
        cloading_unmap_code(startSeconds)
        // An asynchronous `main` would end the main thread. An ended thread keeps root's privileges
        // when the other threads drop them.
        csignals_wait_forever()
    }

    /// Runs the command and returns the exit status.
    package static func run(_ arguments: [String]) async -> CInt {
        defer { StandardError.reportCounts(isEnd: true) }
        do {
            try await Signals.runUntilSignal {
                try await ServiceManager.watching { try await perform(arguments) }
            }
            return 0
        } catch let error as UsageError {
            StandardError.print(error.description, level: .error)
            return 2
        } catch let error as ConfigurationFileError {
            for line in error.lines { StandardError.print(line, level: .error) }
            return error.status
        } catch let status as ExitStatus {
            return status.code
        } catch is StandardOutput.Closed {
            return 0
        } catch is CancellationError {
            return 0
        } catch {
            StandardError.print("\(error)", level: .error)
            return 1
        }
    }

    private static func perform(_ arguments: [String]) async throws {
        guard arguments.count > 1, !arguments[1].hasPrefix("-") else {
            let words = Array(arguments.dropFirst())
            return try await DefaultCommand.parsed(words, of: "gpsbridge").run()
        }
        if arguments[1] == "help" {
            let asked = arguments.dropFirst(2).prefix(1)
            return try await perform(arguments.prefix(1) + asked + ["--help"])
        }
        if try runExternal(Array(arguments.dropFirst())) { return }
        guard let command = commands.first(where: { $0.name == arguments[1] }) else {
            throw UsageError.unknown("command", arguments[1], known: names + otherNames + ["help"])
        }
        try await run(command, Array(arguments.dropFirst(2)))
    }

    private static func run<C: Command>(_ type: C.Type, _ arguments: [String]) async throws {
        let command = try C.parsed(arguments, of: "gpsbridge \(C.name)")
        if let service = C.service.map({ command[keyPath: $0] }) {
            StandardError.level = service.level
            if service.isCheck, let file = service.file {
                return try StandardOutput().write("\(file) is valid\n")
            }
        }
        try await command.run()
    }
}

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
    private static func checkNames(_ arguments: [String], _ all: [OptionDescription]) throws {
        let known = all.filter { !$0.isHidden }.map(\.name) + ["help", "usage", "version"]
        let accepted = known + all.flatMap { [$0.name, $0.formerName ?? $0.name] }
        var isValue = false
        for word in arguments {
            if word == "--" { return }
            guard !exchange(&isValue, with: false) else { continue }
            isValue = takesNextWord(word, all)
            guard word.hasPrefix("--") else { continue }
            let name = String(word.dropFirst(2).prefix { $0 != "=" })
            guard !accepted.contains(where: { $0.hasPrefix(name) }),
                let nearest = UsageError.nearest(name, of: known)
            else { continue }
            throw UsageError("unknown option '--\(name)'; did you mean '--\(nearest)'?")
        }
    }

    /// Returns whether the next word is the value of an option that this word gives.
    private static func takesNextWord(_ word: String, _ all: [OptionDescription]) -> Bool {
        func needsValue(_ option: OptionDescription) -> Bool {
            option.value != nil && !option.isValueOptional
        }
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

    /// Whether a word may be `--help`, an abbreviation of it, or a group of letters with `-h` or `-?`.
    private static func mayAskForHelp(_ word: String) -> Bool {
        word.hasPrefix("--h")
            || word.hasPrefix("-") && (word.utf8.contains(0x68) || word.utf8.contains(0x3F))
    }

    /// Returns the command with the words of the command line applied, and these words parsed as
    /// arguments.
    private static func parsedWords(
        _ arguments: [String], of program: String
    ) throws -> (command: Self, given: [Argument]) {
        let descriptions = options.map(\.description)
        try checkNames(arguments, descriptions)
        let assembly = Assembly(Self())
        let table = OptionTable(descriptions)
        defer { table.free() }
        // Wrapping the text takes longer than the rest of the parsing.
        let details =
            arguments.contains(where: mayAskForHelp)
            ? LineWrapping.wrapped(details, width: LineWrapping.columns - 2) : ""
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

/// A command's options and texts for completions and manual pages. They are the same as those of
/// `--help`.
package struct CommandTable {
    package let name: String
    package let summary: String
    private(set) var argumentSyntax = ""
    private(set) var details = ""
    private(set) var manual: [ManualSection] = []
    package private(set) var options = OptionDescription.common

    /// Whether an argument can be a file.
    package var takesFiles: Bool {
        argumentSyntax.contains("FILE") || argumentSyntax.contains("SOURCE")
    }

    package init<C: Command>(_ command: C.Type) {
        name = C.name
        summary = C.summary
        argumentSyntax = C.argumentSyntax
        details = C.details
        manual = C.manual
        options =
            C.options.map(\.description).filter { !$0.isHidden }.sorted { $0.name < $1.name }
            + OptionDescription.common
    }

    /// Creates the table of a command that another program implements. Only the common options are
    /// listed.
    package init(name: String, summary: String) {
        self.name = name
        self.summary = summary
    }

    /// Returns the tables of several commands.
    package static func all(_ commands: [any Command.Type]) -> [CommandTable] {
        commands.map { CommandTable($0) }
    }
}
