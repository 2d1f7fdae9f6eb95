// SPDX-License-Identifier: MIT
import Screen

/// Sections of manual pages besides options.
enum ManualSections {
    typealias Section = (heading: String, entries: [(name: String, text: String)])

    /// The keys of the screen.
    static let keys: Section = ("KEYS", Help.keys(isASCII: true).map { ($0.0, $0.1) })

    /// Files of commands that read receivers.
    static let files: Section = (
        "FILES",
        [
            (
                "$XDG_STATE_HOME/gpsbridge, ~/.local/state/gpsbridge",
                "The baud rates at which receivers were last read."
            ),
            (
                "/dev/gnss/by-id, /dev/gnss/by-path",
                "Names of receivers that stay, by the udev rules."
            ),
        ]
    )

    /// Variables of commands that read receivers.
    static let environment: Section = (
        "ENVIRONMENT",
        [
            ("XDG_STATE_HOME, STATE_DIRECTORY", "Where baud rates are remembered."),
            ("NOTIFY_SOCKET, WATCHDOG_USEC", "How a service tells systemd that it is alive."),
        ]
    )

    /// Variables of commands that show a screen.
    static let screenEnvironment: Section = (
        "ENVIRONMENT",
        [
            ("TERM", "The terminal, as terminfo knows it."),
            ("NO_COLOR", "Shows no colours where it is set."),
            ("LC_ALL, LC_CTYPE, LANG", "Only ASCII is shown where they name no UTF-8."),
            ("XDG_STATE_HOME, STATE_DIRECTORY", "Where baud rates are remembered."),
        ]
    )
}
