// SPDX-License-Identifier: MIT
import GPSFleet
import Glibc

/// The path of the spool, and its limits.
struct SpoolArguments: Sendable {
    /// The file; `nil` for the default one.
    var path: String?
    var limits = SpoolLimits()

    /// The options, for a command that keeps the arguments there.
    static func options<C>(
        _ arguments: any WritableKeyPath<C, SpoolArguments> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init(
                "spool", value: "FILE",
                help: "Where fixes wait for engines (spool.sqlite in the state folder)"
            ) { $0[keyPath: arguments].path = $1 },
            .init("spool-size", value: "SIZE", help: "What the spool may take on the disk (256M)") {
                $0[keyPath: arguments].limits.size = try SizeArgument.bytes($1, "spool-size")
            },
            .init("spool-age", value: "TIME", help: "How old a fix may get in the spool (30d)") {
                $0[keyPath: arguments].limits.age = try DurationArgument.seconds($1, "spool-age")
            },
        ]
    }

    /// Opens the spool.
    func open() throws -> Spool {
        let spool = try Spool(path: try path ?? Self.defaultPath()) { StandardError.say($0) }
        spool.limits = limits
        return spool
    }

    /// `spool.sqlite` in the folder that systemd or the user has for states.
    private static func defaultPath() throws -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let folder =
            variable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
            ?? variable("XDG_STATE_HOME").map { $0 + "/gpsbridge" }
            ?? variable("HOME").map { $0 + "/.local/state/gpsbridge" }
        guard let folder else { throw UsageError("there is no HOME: say where, with --spool FILE") }
        var path = ""
        for name in folder.split(separator: "/") {
            path += "/" + name
            mkdir(path, 0o700)
        }
        return folder + "/spool.sqlite"
    }
}

/// A size as it is typed: bytes, or with K, M or G.
enum SizeArgument {
    /// Bytes, from a megabyte on.
    static func bytes(_ text: String, _ name: String) throws -> Int64 {
        let units: [Character: Double] = [
            "K": 1024, "M": 1_048_576, "G": 1_073_741_824,
        ]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        let number = Double(unit == nil ? text[...] : text.dropLast())
        guard let number, (1_048_576...1e15).contains(number * (unit ?? 1)) else {
            throw UsageError("\(name): not a size from 1M up: '\(text)' (expected 500M or 2G)")
        }
        return Int64(number * (unit ?? 1))
    }
}
