// SPDX-License-Identifier: MIT

extension CommandTable {
    /// Those of all commands, of `gpsbridge-fleet`'s without their options.
    static var all: [CommandTable] {
        all(Program.commands)
            + FleetProgram.commands.map { CommandTable(name: $0.name, summary: $0.summary) }
    }

    /// That of `gpsbridge` without a command.
    static var overview: CommandTable { CommandTable(Overview.self) }
}

extension ManualPage {
    /// The page of a command, or of all for `gpsbridge`. Replaces this process where the command is `gpsbridge-fleet`'s.
    static func named(_ name: String) throws -> ManualPage {
        let names = CommandTable.all.map(\.name)
        if name == "gpsbridge" {
            return ManualPage(program: name, CommandTable.overview, commands: names)
        }
        if FleetProgram.names.contains(name) { try FleetProgram.run(["--man-page", name]) }
        guard let table = CommandTable.all(Program.commands).first(where: { $0.name == name })
        else { throw UsageError.unknown("command", name, known: ["gpsbridge"] + names) }
        return ManualPage(table)
    }
}
