// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSIO
import GPSReceivers

/// The options for the path and the limits of the spool, the file where fixes wait to be sent.
struct SpoolArguments: Sendable {
    /// The path of the spool's file; `nil` for the default.
    var path: String?
    var limits = SpoolLimits()

    /// The options for the path and the limits of the spool, the file where fixes wait to be sent.
    static let options: [CommandOption<SpoolArguments>] = [
        .init(
            "spool", value: "FILE",
            help: "The file where fixes wait to be sent (default: spool.sqlite in the state folder)"
        ) { $0.path = $1 },
        .init(
            "spool-size", value: "SIZE",
            help: "Maximum size of the spool on the disk (default: 256M)"
        ) {
            $0.limits.size = try SizeArgument.bytes($1, "spool-size")
        },
        .init("spool-age", value: "TIME", help: "Maximum age of a fix in the spool (default: 30d)")
        {
            $0.limits.age = try DurationArgument.seconds($1, "spool-age")
        },
    ]

    /// Opens the spool, the file where fixes wait to be sent. Creates it if it does not exist.
    func open() throws -> Spool {
        let spool = try Spool(path: try path ?? Self.defaultPath()) {
            StandardError.print($0, level: .warning)
        }
        spool.limits = limits
        return spool
    }

    /// Returns the path of `spool.sqlite` in systemd's or the user's state folder. Creates the
    /// folder if necessary.
    private static func defaultPath() throws -> String {
        guard let folder = StateFolder.path() else {
            throw UsageError("HOME is not set: name the spool with --spool FILE")
        }
        StateFolder.create(folder)
        return folder + "/spool.sqlite"
    }
}

/// Parses a size in bytes, with an optional unit `K`, `M` or `G` (powers of 1024).
enum SizeArgument {
    /// Returns the size in bytes. Throws a `UsageError` if the text is not a size of at least `1M`.
    static func bytes(_ text: String, _ name: String) throws -> Int64 {
        let units: [Character: Double] = [
            "K": 1024, "M": 1_048_576, "G": 1_073_741_824,
        ]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        let number = Double(unit == nil ? text[...] : text.dropLast())
        guard let number, (1_048_576...1e15).contains(number * (unit ?? 1)) else {
            throw UsageError(
                "\(name) '\(text)' is not a size (expected at least 1M, such as 500M or 2G)")
        }
        return Int64(number * (unit ?? 1))
    }
}
