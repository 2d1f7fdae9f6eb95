// SPDX-License-Identifier: MIT
import GPSViews

/// Additional sections of the commands' manual pages.
enum ManualSections {
    /// The keys of the screen.
    static let keys: ManualSection = ("KEYS", Help.keys(isASCII: true).map { ($0.0, $0.1) })

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

    /// The sections of `monitor`.
    static let monitoring = [
        keys,
        files([
            rates, names, ("libmicrohttpd.so.12", "Serves the page; loaded only with --web."),
        ]),
        environment(screen + [state]),
    ]

    /// The sections of `list`.
    static let listing = [
        files([names, ("/run/udev/data", "udev's database of devices.")])
    ]

    /// The sections of `convert`.
    static let converting = [
        files([("libcairo.so.2", "Draws PNG plots; loaded only for these.")])
    ]

    /// The sections of `simulate`.
    static let simulating = [
        files([
            ("/dev/pts/N", "The tty that it creates; --link creates a link to it."),
            ("/dev/ptmx", "Creates ttys."),
        ])
    ]

    /// The sections of `serve`.
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

    /// The sections of the overview.
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
