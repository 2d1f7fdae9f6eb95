// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// `gpsbridge-fleet`, a program of its own: users without a fleet need none of its libraries.
enum FleetProgram {
    /// The reason why its commands cannot be run.
    struct Missing: Error, CustomStringConvertible {
        let command: String

        var description: String {
            "`gpsbridge \(command)` needs gpsbridge-fleet, which is not installed: in gpsbridge's sources, "
                + "run `scripts/setup fleet`, `make build` and `make install`"
        }
    }

    /// Its commands, as `--help` shows them.
    static let commands: [(name: String, summary: String)] = [
        ("publish", "Send fixes to NATS or MQTT, and lose none while offline."),
        ("collect", "Write the fixes of a fleet to a database."),
        ("fleet", "List the members of a fleet."),
    ]

    static var names: [String] { commands.map(\.name) }

    /// Whether it has that command; it also simulates fleets.
    static func isItsCommand(_ words: [String]) -> Bool {
        names.contains(words[0])
            || words[0] == "simulate"
                && words.contains { $0 == "--fleet" || $0.hasPrefix("--fleet=") }
    }

    /// Replaces this process by it.
    ///
    /// Throws ``Missing`` if it is neither beside this program nor in `PATH`. The corresponding C functions
    /// are `execv` and `execvp`.
    static func run(_ words: [String]) throws -> Never {
        let name = "gpsbridge-fleet"
        var arguments: [UnsafeMutablePointer<CChar>?] =
            ([name] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        let own = path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        if let end = own.lastIndex(of: UInt8(ascii: "/")) {
            execv(FileName.native(FileName.string(own[...end]) + name), &arguments)
        }
        execvp(name, &arguments)
        throw Missing(command: words.first ?? "")
    }
}
