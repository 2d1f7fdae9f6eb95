// SPDX-License-Identifier: MIT
import GNSS

/// `gpsbridge` without a command.
struct Overview: Command {
    static let name = ""
    static let summary =
        "Location services for Linux, from any GPS receiver that sends NMEA 0183 or UBX."
    static let argumentSyntax = "COMMAND [OPTION...]"

    static var details: String {
        let commands =
            Program.commands.map { ($0.name, $0.summary) }
            + FleetProgram.commands.map { ($0.name, $0.summary) }
        return "Commands:\n" + TwoColumns.text(commands) + """


            Examples:
              gpsbridge monitor               show the receiver's position
              gpsbridge record -o drive.nmea  record what it sends
              gpsbridge serve                 share it with other programs, as gpsd does

            `gpsbridge help COMMAND` shows the options of a command.


            """ + ExitStatus.table
    }

    static var manual: [ManualSection] { ManualSections.overview }

    static let options: [CommandOption<Overview>] = [
        .init(
            "completions", value: "SHELL", choices: Shell.allCases.map(\.rawValue),
            help: "Print the completion script for a shell: bash, zsh or fish"
        ) {
            let shell: Shell = try Choice.of($1, "shell")
            $0.text = shell.completions
        },
        .init(
            "man-page", value: "COMMAND",
            choices: ["gpsbridge"] + Program.names + FleetProgram.names,
            help: "Print the manual page of a command, or of gpsbridge"
        ) {
            $0.text = try ManualPage.named($1).text
        },
    ]

    /// The text to print, if an option requests one.
    private var text: String?

    func run() async throws {
        guard let text else {
            let names = (Program.names + FleetProgram.names).joined(separator: ", ")
            throw UsageError(
                "no command was given (the commands are \(names)): see `gpsbridge --help`")
        }
        try StandardOutput().write(text)
    }
}
