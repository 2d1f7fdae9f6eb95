// SPDX-License-Identifier: MIT
import CGPSSignals
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import SimulatedDevices

/// A program with several commands: runs the one named in the arguments.
package protocol CommandProgram: SendableMetatype {
    /// The command that runs if none is named.
    associatedtype DefaultCommand: Command

    /// The commands in the order of `--help`.
    static var commands: [any Command.Type] { get }

    /// The names of commands that `runOther(_:)` runs.
    static var otherNames: [String] { get }

    /// Runs a command that is implemented by another program; `words` begin with the command's
    /// name. Returns `false` if there is no such command.
    static func runOther(_ words: [String]) throws -> Bool
}

extension CommandProgram {
    /// The names of the commands.
    package static var names: [String] { commands.map { $0.name } }

    /// Default: none.
    package static var otherNames: [String] { [] }

    /// Default: `false`.
    package static func runOther(_ words: [String]) throws -> Bool { false }

    /// The command-line words; file names in them need not be valid UTF-8.
    package static var words: [String] {
        Argp.processWords.map { FileName.string($0) }
    }

    /// Runs the command and ends the process.
    package static func start() -> Never {
        Signals.prepare()
        if let problem = Resources.prepare() {
            StandardError.print(problem)
            exit(1)
        }
        Argp.setColumns(LineWrapping.columns)
        Argp.checkOutputAtExit()
        Task.detached(executorPreference: BackgroundExecutor.shared) { exit(await run(words)) }
        // An asynchronous `main` would end the main thread, and an ended thread keeps root's
        // privileges when the others give them up.
        csignals_wait_forever()
    }

    /// Runs the command; returns the exit status.
    package static func run(_ words: [String]) async -> CInt {
        do {
            try await Signals.untilOne {
                try await ServiceManager.watching { try await perform(words) }
            }
            return 0
        } catch let error as UsageError {
            StandardError.print(error.description)
            return 2
        } catch let status as ExitStatus {
            return status.code
        } catch is StandardOutput.Closed {
            return 0
        } catch is CancellationError {
            return 0
        } catch {
            StandardError.print("\(error)")
            return 1
        }
    }

    private static func perform(_ words: [String]) async throws {
        guard words.count > 1, !words[1].hasPrefix("-") else {
            let parser = ArgumentParser<DefaultCommand>("gpsbridge", Array(words.dropFirst()))
            return try await parser.parse(DefaultCommand()).run()
        }
        if words[1] == "help" {
            let asked = words.dropFirst(2).prefix(1)
            return try await perform(words.prefix(1) + asked + ["--help"])
        }
        if try runOther(Array(words.dropFirst())) { return }
        guard let command = commands.first(where: { $0.name == words[1] }) else {
            throw UsageError.unknown("command", words[1], known: names + otherNames + ["help"])
        }
        try await run(command, Array(words.dropFirst(2)))
    }

    private static func run<C: Command>(_ type: C.Type, _ words: [String]) async throws {
        let parser = ArgumentParser<C>("gpsbridge \(C.name)", words)
        try await parser.parse(C()).run()
    }
}
