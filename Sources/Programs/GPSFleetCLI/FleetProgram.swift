// SPDX-License-Identifier: MIT
import GNSS
// Re-exported for all files of the program.
@_exported public import GPSCommands
import Glibc

/// The command `gpsbridge-fleet`, which runs `gpsbridge publish`, `collect` and `fleet`.
@main private struct FleetProgram: CommandProgram {
    typealias DefaultCommand = FleetOverview

    /// The commands. To add one, add a file to `Commands` and a line here.
    static let commands: [any Command.Type] = [
        PublishCommand.self,
        CollectCommand.self,
        FleetCommand.self,
        ReadCommand.self,
        SimulateFleetCommand.self,
    ]

    static func main() { start() }
}

/// `gpsbridge-fleet` without a command.
private struct FleetOverview: Command {
    static let name = ""
    static let summary = "Send the fixes of a fleet to NATS, MQTT or HTTP, and collect them."
    static let argumentSyntax = "COMMAND [OPTION...]"

    static var details: String {
        let commands = FleetProgram.commands.map { ($0.name, $0.summary) }
        return "Commands:\n" + TwoColumns.text(commands) + "\n\n" + ExitStatus.table
    }

    static let options: [CommandOption<FleetOverview>] = [
        .init(
            "man-page", value: "COMMAND", choices: FleetProgram.names,
            "Print the manual page of a command"
        ) {
            let name = $1
            let tables = CommandTable.all(FleetProgram.commands)
            guard let table = tables.first(where: { $0.name == name }) else {
                throw UsageError.unknown("command", name, known: tables.map(\.name))
            }
            $0.text = ManualPage(table).text
        }
    ]

    /// The text to print instead of an error; `nil` unless an option requests it.
    private var text: String?

    func run() async throws {
        if let text { return try StandardOutput().write(text) }
        let names = FleetProgram.names.joined(separator: ", ")
        throw UsageError(
            "no command was given (the commands are \(names)): see `gpsbridge-fleet --help`")
    }
}
