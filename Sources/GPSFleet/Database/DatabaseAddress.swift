// SPDX-License-Identifier: MIT
import CGPSPostgreSQL
import Glibc

/// Where a PostgreSQL database is: `postgresql://[USER@]HOST[:PORT]/DATABASE[?NAME=VALUE…]`.
///
/// Whatever it leaves out is the environment's (`PGHOST`, `PGSERVICE`…) or libpq's default. It never has a
/// password: libpq reads that from `~/.pgpass`, `PGPASSFILE` or a service file.
package struct DatabaseAddress: Sendable {
    /// The address, as libpq reads it.
    package let text: String

    /// Reads an address.
    ///
    /// Throws an ``FleetError`` where it is none, or has a password. The corresponding C function is `PQconninfoParse`.
    package init(_ text: String) throws(FleetError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            let reason = message.map { String(cString: $0) } ?? "it is malformed"
            PQfreemem(message)
            throw FleetError(
                "not an address of a database: "
                    + reason.split(whereSeparator: \.isNewline).joined(separator: " "))
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

    /// The name for messages: without parameters, which only libpq needs.
    package var name: String { String(text.prefix { $0 != "?" }) }

    /// Checks the file that libpq reads passwords from: libpq itself ignores one that others may read, and goes
    /// on without a password.
    ///
    /// Throws a ``FleetError``.
    package static func checkPasswordFiles(
        environment: (String) -> String?
    ) throws(FleetError) {
        if let path = environment("PGPASSFILE") {
            _ = try SecretFile(path)
        } else if let home = environment("HOME"), access("\(home)/.pgpass", F_OK) == 0 {
            _ = try SecretFile("\(home)/.pgpass")
        }
        guard environment("PGPASSWORD") == nil else {
            throw FleetError(
                "PGPASSWORD can be read by every process of this user: put the password into ~/.pgpass, or "
                    + "into a file that PGPASSFILE names")
        }
    }
}
