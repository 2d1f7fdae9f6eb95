// SPDX-License-Identifier: MIT
// Re-exported or imported here for the whole program.
import GNSS
@_exported public import GPSCommands
import Glibc

/// The command `gpsbridge`: runs the command that its arguments name.
@main struct Program: CommandProgram {
    static let version = "gpsbridge \(Release.version)"

    typealias DefaultCommand = Overview

    /// The commands. Adding one is a file in `Commands` and a line here.
    static let commands: [any Command.Type] = [
        MonitorCommand.self,
        ListCommand.self,
        DoctorCommand.self,
        ConfigureCommand.self,
        ConvertCommand.self,
        RecordCommand.self,
        ServeCommand.self,
        SimulateCommand.self,
    ]

    static func main() { start() }

    static var otherNames: [String] { FleetProgram.names }

    static func runOther(_ words: [String]) throws -> Bool {
        guard FleetProgram.isItsCommand(words) else { return false }
        try FleetProgram.run(words)
    }
}
