// SPDX-License-Identifier: MIT
import CSignals
import Devices
import GNSS
import Glibc

/// The command `gpsbridge`: runs the command that its arguments name.
@main struct Program {
    static let version = "gpsbridge \(Release.version)"

    /// The commands. Adding one is a file in `Commands` and a line here.
    static let commands: [any Command.Type] = [
        MonitorCommand.self,
        ListCommand.self,
        DoctorCommand.self,
        ConvertCommand.self,
        RecordCommand.self,
        ServeCommand.self,
        SimulateCommand.self,
    ]

    static func main() {
        Signals.prepare()
        Task.detached { exit(await run(words)) }
        // An asynchronous `main` would end this thread, and one that has ended keeps root's
        // privileges when the others give them up.
        csignals_wait_forever()
    }

    /// The command line; file names in it may be no UTF-8.
    private static var words: [String] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                let bytes = UnsafeBufferPointer(start: word, count: strlen(word))
                return FileName.string(bytes.map { UInt8(bitPattern: $0) })
            }
        }
    }

    /// Runs the command; returns the exit status.
    static func run(_ words: [String]) async -> CInt {
        do {
            try await Signals.untilOne {
                try await ServiceManager.watching { try await perform(words) }
            }
            return 0
        } catch let error as UsageError {
            StandardError.say(error.description)
            return 2
        } catch let status as ExitStatus {
            return status.code
        } catch is StandardOutput.Closed {
            return 0
        } catch is CancellationError {
            return 0
        } catch {
            StandardError.say("\(error)")
            return 1
        }
    }

    private static func perform(_ words: [String]) async throws {
        guard words.count > 1, !words[1].hasPrefix("-") else {
            let parser = ArgumentParser<Overview>("gpsbridge", Array(words.dropFirst()))
            return try await parser.parse(Overview()).run()
        }
        if words[1] == "help" {
            let asked = words.dropFirst(2).prefix(1)
            return try await perform(words.prefix(1) + asked + ["--help"])
        }
        guard let command = commands.first(where: { $0.name == words[1] }) else {
            throw UsageError.unknown("command", words[1], known: names + ["help"])
        }
        try await run(command, Array(words.dropFirst(2)))
    }

    private static func run<C: Command>(_ type: C.Type, _ words: [String]) async throws {
        let parser = ArgumentParser<C>("gpsbridge \(C.name)", words)
        try await parser.parse(C()).run()
    }

    static var names: [String] { commands.map { $0.name } }
}
