// SPDX-License-Identifier: MIT
// Re-exported or imported here for all files of the program.
import GNSS
@_exported public import GPSCommands
import Glibc

/// The command `gpsbridge`, which runs the command named in its arguments.
@main struct Program: CommandProgram {
    typealias DefaultCommand = Overview

    /// The commands. To add one, add a file to `Commands` and a line here.
    static let commands: [any Command.Type] = [
        MonitorCommand.self,
        ListCommand.self,
        DoctorCommand.self,
        ConfigureCommand.self,
        ConvertCommand.self,
        RecordCommand.self,
        ServeCommand.self,
        CorrectionsCommand.self,
        AuthenticationCommand.self,
        SimulateCommand.self,
    ]

    static func main() { start() }

    static var otherNames: [String] { FleetExecutable.names }

    static func runExternal(_ arguments: [String]) throws -> Bool {
        guard FleetExecutable.isFleetCommand(arguments) else { return false }
        try FleetExecutable.run(arguments)
    }
}
