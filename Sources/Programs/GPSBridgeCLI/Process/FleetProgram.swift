// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Glibc

/// Starts `gpsbridge-fleet`. It is a separate program, so that users without a fleet don't need its
/// libraries.
enum FleetProgram {
    /// The commands of `gpsbridge-fleet` that `gpsbridge` also offers, for `--help`.
    static let commands: [(name: String, summary: String)] = [
        ("publish", "Send fixes to NATS, MQTT or HTTP without losing any while offline."),
        ("collect", "Write the fixes of a fleet to a database."),
        ("fleet", "List the members of a fleet."),
    ]

    static var names: [String] { commands.map(\.name) }

    /// Returns whether the arguments are a command of `gpsbridge-fleet`, which includes `simulate
    /// --fleet`.
    static func isFleetCommand(_ arguments: [String]) -> Bool {
        names.contains(arguments[0])
            || arguments[0] == "simulate"
                && arguments.contains { $0 == "--fleet" || $0.hasPrefix("--fleet=") }
    }

    /// Replaces this process with `gpsbridge-fleet`, which is next to this program or in `PATH`.
    ///
    /// - Throws: `CommandFailure` if it is not found. The corresponding C function is `execv`.
    static func run(_ commandLine: [String]) throws -> Never {
        var arguments: [UnsafeMutablePointer<CChar>?] =
            (["gpsbridge-fleet"] + commandLine).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        if let path = FleetSource.installedProgram { execv(FileName.native(path), &arguments) }
        let command = commandLine[0] == "simulate" ? "simulate --fleet" : commandLine[0]
        throw CommandFailure(
            "`gpsbridge \(command)` needs the program gpsbridge-fleet, which is not installed: "
                + "in gpsbridge's sources, run `scripts/setup fleet`, `make build` and `make install`"
        )
    }
}
