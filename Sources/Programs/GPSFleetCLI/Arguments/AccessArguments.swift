// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import Glibc

/// The options for authentication and encryption. Secrets are given as files, so that they do not
/// appear on the command line.
enum AccessArguments {
    /// The options for secrets, certificates and encryption.
    static let options: [CommandOption<EngineAccess>] = [
        .init(
            "credentials", value: "FILE",
            help: "The file with a user's credentials for NATS (.creds)"
        ) {
            $0.credentials = try secret($1)
        },
        .init(
            "nkey", value: "FILE",
            help: "The file of a NATS nkey: its seed and, below it, its public key"
        ) {
            $0.nkey = try secret($1)
        },
        .init(
            "password-file", value: "FILE",
            help: "The file with the password of the URL's USER or, without USER, a NATS token"
        ) { $0.password = try secret($1) },
        .init(
            "ca", value: "FILE",
            help: "Encrypt, and trust the certificate authorities in FILE instead of the system's "
                + "(NATS: in addition to them)"
        ) { $0.authorities = $1 },
        .init(
            "cert", value: "FILE",
            help: "This machine's certificate; also encrypts the connection"
        ) {
            $0.certificate = $1
        },
        .init("key", value: "FILE", help: "The private key of the certificate of --cert") {
            $0.key = try secret($1)
        },
    ]

    private static func secret(_ path: String) throws -> SecretFile {
        try usage { try SecretFile(path) }
    }
}

extension EngineAccess {
    /// Returns a copy in which files that are not set are taken from environment variables.
    /// gpsbridge runs this program to read a source such as `nats://…`, and then passes the files
    /// in these variables. Throws a `UsageError` if a file with a secret is missing or can be read
    /// by others.
    func withEnvironment(for url: EngineURL) throws -> EngineAccess {
        try usage { try completed(for: url) { getenv($0).map { String(cString: $0) } } }
    }
}
