// SPDX-License-Identifier: MIT
import GNSS

extension CommandTable {
    /// The tables of all commands. The tables of the commands of `gpsbridge-fleet` contain only the
    /// common options.
    static var all: [CommandTable] {
        all(Program.commands)
            + FleetProgram.commands.map { CommandTable(name: $0.name, summary: $0.summary) }
    }

    /// The table of `gpsbridge` without a command.
    static var overview: CommandTable { CommandTable(Overview.self) }
}

extension ManualPage {
    /// Returns the manual page of a command, or of `gpsbridge` itself. For a command of
    /// `gpsbridge-fleet`, replaces this process with that program, which prints the page.
    static func named(_ name: String) throws -> ManualPage {
        let names = CommandTable.all.map(\.name)
        if name == "gpsbridge" {
            return ManualPage(program: name, CommandTable.overview, commands: names)
        }
        if FleetProgram.names.contains(name) { try FleetProgram.run(["--man-page", name]) }
        guard let table = CommandTable.all.first(where: { $0.name == name }) else {
            throw UsageError.unknown("command", name, known: ["gpsbridge"] + names)
        }
        return ManualPage(table)
    }
}
