// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The options for a configuration file and for messages, of commands that run as a service.
package struct ServiceArguments: Sendable {
    /// The path of the configuration file; `nil` if none is used.
    var file: String?
    /// Whether the command only checks its configuration file, instead of running.
    package var isCheck = false
    /// The least important level of messages that are printed.
    var level = MessageLevel.info
    /// The arguments on the command line.
    var given: [Argument] = []
    /// The configuration file that was read; `nil` if none is used.
    var configuration: ConfigurationFile?

    /// The options `--config`, `--check-config`, `--quiet` and `--log-level`.
    package static let options: [CommandOption<ServiceArguments>] = [
        .init(
            "config", value: "FILE",
            help: "Read options from FILE (TOML); those of the command line override them"
        ) { $0.file = $1 }.once().onCommandLine(),
        .init("check-config", help: "Check the file given with --config, then exit") {
            $0.isCheck = true
        }.onCommandLine(),
        .init("quiet", "q", help: "Print only errors and warnings") { $0.level = .warning },
        .init(
            "log-level", value: "LEVEL", choices: MessageLevel.allCases.map(\.rawValue),
            help: "Print messages from this level up: error, warning or info (default)"
        ) { $0.level = try Choice.of($1, "level") },
    ]

    /// Creates the default options: no file, and all messages.
    package init() {}
}
