// SPDX-License-Identifier: MIT
import GPSFleet
import Glibc

/// The options for the location and limits of the spool.
struct SpoolArguments: Sendable {
    /// The path of the file; `nil` for the default.
    var path: String?
    var limits = SpoolLimits()

    /// Returns the options, for a command that stores the arguments in a property.
    static func options<C>(
        _ arguments: any WritableKeyPath<C, SpoolArguments> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init(
                "spool", value: "FILE",
                help: "The file where fixes wait to be sent (spool.sqlite in the state folder)"
            ) { $0[keyPath: arguments].path = $1 },
            .init("spool-size", value: "SIZE", help: "Maximum size of the spool on the disk (256M)")
            {
                $0[keyPath: arguments].limits.size = try SizeArgument.bytes($1, "spool-size")
            },
            .init("spool-age", value: "TIME", help: "Maximum age of a fix in the spool (30d)") {
                $0[keyPath: arguments].limits.age = try DurationArgument.seconds($1, "spool-age")
            },
        ]
    }

    /// Opens the spool.
    func open() throws -> Spool {
        let spool = try Spool(path: try path ?? Self.defaultPath()) { StandardError.print($0) }
        spool.limits = limits
        return spool
    }

    /// Returns the path of `spool.sqlite` in the state folder of systemd or of the user.
    private static func defaultPath() throws -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let folder =
            variable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
            ?? variable("XDG_STATE_HOME").map { $0 + "/gpsbridge" }
            ?? variable("HOME").map { $0 + "/.local/state/gpsbridge" }
        guard let folder else {
            throw UsageError("HOME is not set: name the spool with --spool FILE")
        }
        var path = ""
        for name in folder.split(separator: "/") {
            path += "/" + name
            mkdir(path, 0o700)
        }
        return folder + "/spool.sqlite"
    }
}

/// Parses a size: a number of bytes, or one with K, M or G.
enum SizeArgument {
    /// Returns the size in bytes, at least one megabyte.
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
