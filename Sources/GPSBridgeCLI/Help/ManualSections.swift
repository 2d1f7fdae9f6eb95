// SPDX-License-Identifier: MIT
import GPSViews

/// Sections of manual pages in addition to options.
enum ManualSections {
    typealias Section = (heading: String, entries: [(name: String, text: String)])

    /// The keys of the screen.
    static let keys: Section = ("KEYS", Help.keys(isASCII: true).map { ($0.0, $0.1) })

    private static let rates = (
        "$XDG_STATE_HOME/gpsbridge, ~/.local/state/gpsbridge",
        "The baud rates at which receivers were last read."
    )
    private static let names = (
        "/dev/gnss/by-id, /dev/gnss/by-path",
        "Names of receivers that stay, by the udev rules."
    )
    private static let state = (
        "XDG_STATE_HOME, STATE_DIRECTORY", "Where baud rates are remembered."
    )
    private static let service = (
        "NOTIFY_SOCKET, WATCHDOG_USEC", "How a service reports to systemd that it is alive."
    )
    private static let token = (
        "GPSBRIDGE_HTTP_TOKEN, CREDENTIALS_DIRECTORY",
        "The page's token, and the folder where systemd has put it in the file http-token."
    )
    private static let screen = [
        ("TERM", "The terminal, as terminfo knows it."),
        ("NO_COLOR", "Shows no colours where it is set."),
        ("LC_ALL, LC_CTYPE, LANG", "Only ASCII is shown where they name no UTF-8."),
        ("TZ", "The zone of the local time that is shown beside UTC."),
    ]

    private static func files(_ entries: [(String, String)]) -> Section {
        ("FILES", entries.map { (name: $0.0, text: $0.1) })
    }

    private static func environment(_ entries: [(String, String)]) -> Section {
        ("ENVIRONMENT", entries.map { (name: $0.0, text: $0.1) })
    }

    /// Those of commands that read receivers.
    static let reading = [files([rates, names]), environment([state, service])]

    /// Those of `monitor`.
    static let monitoring = [
        keys,
        files([
            rates, names, ("libmicrohttpd.so.12", "Serves the page; looked for only with --web."),
        ]),
        environment(screen + [state]),
    ]

    /// Those of `list`.
    static let listing = [
        files([names, ("/run/udev/data", "What udev has found out about devices.")])
    ]

    /// Those of `convert`.
    static let converting = [
        files([("libcairo.so.2", "Paints plots that are PNG; looked for only then.")])
    ]

    /// Those of `simulate`.
    static let simulating = [
        files([
            ("/dev/pts/N", "The tty that it makes; --link gives it a name of its own."),
            ("/dev/ptmx", "Where ttys are made."),
        ])
    ]

    /// Those of `serve`.
    static let serving = [
        files([
            rates, names,
            ("/run/chrony.ttyACM0.sock", "A socket of chronyd's, as for --chrony."),
            ("libmicrohttpd.so.12", "Serves the page; looked for only with --http."),
        ]),
        environment([
            ("LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES", "Sockets that systemd has opened."), token,
            state, service,
        ]),
    ]

    /// Those of all commands.
    static let overview = [
        files([rates, names]),
        environment(
            screen + [
                state, service,
                ("LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES", "Sockets for `serve` by systemd."),
                token,
                (
                    "COLUMNS",
                    "The columns that help and the findings of `doctor` fill, from 40 to 100; the terminal's unless set."
                ),
            ]),
    ]
}
