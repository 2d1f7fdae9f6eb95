// SPDX-License-Identifier: MIT
import CGPSSignals
import GNSS
import GPSIO
import GPSReceivers
import Glibc

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
    /// The names of the commands.
    package static var names: [String] { commands.map { $0.name } }

    /// By default, no command is implemented by another program.
    package static var otherNames: [String] { [] }

    /// By default, returns `false`: no command is implemented by another program.
    package static func runExternal(_ arguments: [String]) throws -> Bool { false }

    /// The words of the command line. Words that are not valid UTF-8 are preserved, because they
    /// may be file names.
    package static var arguments: [String] { Argp.processWords }

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
            return 2
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
