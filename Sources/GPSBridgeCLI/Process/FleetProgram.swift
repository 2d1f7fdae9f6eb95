// SPDX-License-Identifier: MIT
import GNSS
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
    /// - Throws: `CommandFailure` if it is not found. The corresponding C functions are `execv` and
    ///   `execvp`.
    static func run(_ commandLine: [String]) throws -> Never {
        let name = "gpsbridge-fleet"
        var arguments: [UnsafeMutablePointer<CChar>?] =
            ([name] + commandLine).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        let own = path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        if let end = own.lastIndex(of: UInt8(ascii: "/")) {
            execv(FileName.native(FileName.string(own[...end]) + name), &arguments)
        }
        execvp(name, &arguments)
        let command = commandLine[0] == "simulate" ? "simulate --fleet" : commandLine[0]
        throw CommandFailure(
            "`gpsbridge \(command)` needs the program gpsbridge-fleet, which is not installed: "
                + "in gpsbridge's sources, run `scripts/setup fleet`, `make build` and `make install`"
        )
    }
}
