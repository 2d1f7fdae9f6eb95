// SPDX-License-Identifier: MIT
import GNSS
import GPSViews

/// `gpsbridge` without a command.
struct Overview: Command {
    static let name = ""
    static let summary =
        "Location services for Linux, from any GPS receiver that sends NMEA 0183 or UBX."
    static let argumentSyntax = "COMMAND [OPTION...]"

    static var details: String {
        let commands =
            Program.commands.map { ($0.name, $0.summary) }
            + FleetExecutable.commands.map { ($0.name, $0.summary) }
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
            "completions", ArgumentForm<Shell>.choice("SHELL"),
            "Print the completion script for a shell: bash, zsh or fish"
        ) { $0.text = $1.completions },
        .init(
            "man-page", value: "COMMAND",
            choices: ["gpsbridge"] + Program.names + FleetExecutable.names,
            "Print the manual page of a command, or of gpsbridge"
        ) { $0.text = try ManualPage.named($1).text },
    ]

    /// The text to print, if an option requests one.
    private var text: String?

    func run() async throws {
        guard let text else {
            let names = (Program.names + FleetExecutable.names).joined(separator: ", ")
            throw UsageError(
                "no command was given (the commands are \(names)): see `gpsbridge --help`")
        }
        try StandardOutput().write(text)
    }
}

/// Additional sections of the commands' manual pages.
enum ManualSections {
    /// The keys of the screen.
    private static let keys: ManualSection = ("KEYS", Help.keys(isASCII: true).map { ($0.0, $0.1) })

    private static let rates = (
        "$XDG_STATE_HOME/gpsbridge, ~/.local/state/gpsbridge",
        "The baud rates at which receivers were last read, and the data of --warm-start."
    )
    private static let names = (
        "/dev/gnss/by-id, /dev/gnss/by-path",
        "Persistent names of receivers, created by the udev rules."
    )
    private static let state = (
        "XDG_STATE_HOME, STATE_DIRECTORY", "The folder for data about receivers."
    )
    private static let service = (
        "NOTIFY_SOCKET, WATCHDOG_USEC", "How a service reports to systemd that it is alive."
    )
    private static let token = (
        "GPSBRIDGE_HTTP_TOKEN, CREDENTIALS_DIRECTORY",
        "The page's token, and the folder in which systemd stores it as http-token."
    )
    private static let screen = [
        ("TERM", "The terminal's name in terminfo."),
        ("NO_COLOR", "No colours are shown if it is set."),
        ("LC_ALL, LC_CTYPE, LANG", "Only ASCII is shown unless they select UTF-8."),
        ("TZ", "The time zone of the local time, shown with UTC."),
    ]

    private static func files(_ entries: [(String, String)]) -> ManualSection {
        ("FILES", entries.map { (name: $0.0, text: $0.1) })
    }

    private static func environment(_ entries: [(String, String)]) -> ManualSection {
        ("ENVIRONMENT", entries.map { (name: $0.0, text: $0.1) })
    }

    /// The sections of commands that read receivers.
    static let reading = [files([rates, names]), environment([state, service])]

    static let monitoring = [
        keys,
        files([
            rates, names, ("libmicrohttpd.so.12", "Serves the page; loaded only with --web."),
        ]),
        environment(screen + [state]),
    ]

    static let listing = [
        files([names, ("/run/udev/data", "udev's database of devices.")])
    ]

    static let converting = [
        files([("libcairo.so.2", "Draws PNG plots; loaded only for these.")])
    ]

    static let authenticating = [
        files([
            (
                "$XDG_STATE_HOME/gpsbridge/galileo, ~/.local/state/gpsbridge/galileo",
                "The installed trees and public keys, and what satellites have said about them."
            ), ("libcrypto.so.3", "Verifies signatures; loaded only for that."),
        ]),
        environment([state]),
    ]

    static let simulating = [
        files([
            ("/dev/pts/N", "The tty that it creates; --link creates a link to it."),
            ("/dev/ptmx", "Creates ttys."),
        ])
    ]

    static let serving = [
        files([
            rates, names,
            ("/run/chrony.ttyACM0.sock", "A chronyd socket for --chrony."),
            ("libmicrohttpd.so.12", "Serves the page; loaded only with --http."),
        ]),
        environment([
            ("LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES", "Sockets that systemd has opened."), token,
            state, service,
        ]),
    ]

    static let overview = [
        files([rates, names]),
        environment(
            screen + [
                state, service,
                ("LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES", "Sockets for `serve` by systemd."),
                token,
                (
                    "COLUMNS",
                    "The width of help and of the findings of `doctor`, from 40 to 100 (default: the terminal's)."
                ),
            ]),
    ]
}

extension CommandTable {
    /// The tables of all commands. The tables of the commands of `gpsbridge-fleet` contain only the
    /// common options.
    static var all: [CommandTable] {
        all(Program.commands)
            + FleetExecutable.commands.map { CommandTable(name: $0.name, summary: $0.summary) }
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
        if FleetExecutable.names.contains(name) { try FleetExecutable.run(["--man-page", name]) }
        guard let table = CommandTable.all.first(where: { $0.name == name }) else {
            throw UsageError.unknown("command", name, known: ["gpsbridge"] + names)
        }
        return ManualPage(table)
    }
}
