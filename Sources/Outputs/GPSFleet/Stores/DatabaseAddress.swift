// SPDX-License-Identifier: MIT
import CGPSPostgreSQL
import GPSIO
import Glibc

/// The address of a PostgreSQL database: `postgresql://[USER@]HOST[:PORT]/DATABASE[?NAME=VALUE…]`.
///
/// Missing parts are taken from the environment (`PGHOST`, `PGSERVICE`…) or from libpq's defaults.
/// The address never contains a password. libpq reads it from `~/.pgpass`, `PGPASSFILE` or a
/// service file.
package struct DatabaseAddress: Sendable {
    /// The address as passed to libpq.
    package let text: String

    /// Parses an address.
    ///
    /// Throws a ``FleetError`` if it is malformed or contains a password. The corresponding C
    /// function is `PQconninfoParse`.
    package init(_ text: String) throws(FleetError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            let reason = message.map { String(cString: $0) } ?? "it is malformed"
            PQfreemem(message)
            let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
            throw FleetError(
                "not the address of a database: \(line) (expected "
                    + "postgresql://[USER@]HOST/DATABASE)")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let name = String(cString: keyword)
            if ["password", "sslpassword"].contains(name), option.pointee.val != nil {
                throw FleetError(
                    "a password on the command line can be read by every user of this machine: put it "
                        + "into ~/.pgpass or into a file that PGPASSFILE names")
            }
            if name == "passfile", let path = option.pointee.val {
                _ = try SecretFile(String(cString: path))
            }
            option += 1
        }
        self.text = text
    }

    /// The address without its parameters, for messages.
    package var name: String { String(text.prefix { $0 != "?" }) }

    /// Checks that other users cannot read the files in which libpq looks for passwords, and that
    /// `PGPASSWORD` is not set.
    ///
    /// The check is needed because libpq ignores a password file that others can read, and connects
    /// without a password.
    ///
    /// Throws a ``FleetError`` if the check fails.
    package static func checkPasswordFiles(
        environment: (String) -> String?
    ) throws(FleetError) {
        if let path = environment("PGPASSFILE") {
            _ = try SecretFile(path)
        } else if let home = environment("HOME"), access("\(home)/.pgpass", F_OK) == 0 {
            _ = try SecretFile("\(home)/.pgpass")
        }
        let services =
            environment("PGSERVICEFILE") ?? environment("HOME").map { "\($0)/.pg_service.conf" }
        if let services, hasPassword(services) { _ = try SecretFile(services) }
        guard environment("PGPASSWORD") == nil else {
            throw FleetError(
                "PGPASSWORD can be read by every process of this user: put the password into ~/.pgpass, or "
                    + "into a file that PGPASSFILE names")
        }
    }

    /// Returns whether a libpq service file, such as `~/.pg_service.conf`, contains a password.
    /// Without a password, other users may read the file.
    private static func hasPassword(_ path: String) -> Bool {
        guard let bytes = RegularFile.contents(path) else { return false }
        return bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            let setting = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            return ["password=", "sslpassword="].contains { setting.starts(with: $0.utf8) }
        }
    }
}
