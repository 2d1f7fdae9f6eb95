// SPDX-License-Identifier: MIT
import GPSFleet
import Glibc

/// The options for authentication and encryption. Their values are files, so that no secret is on the
/// command line.
enum AccessArguments {
    /// Returns the options, for a command that stores the access in a property.
    static func options<C>(
        _ access: any WritableKeyPath<C, EngineAccess> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init("credentials", value: "FILE", help: "A user's credentials for NATS (.creds)") {
                $0[keyPath: access].credentials = try secret($1)
            },
            .init("nkey", value: "FILE", help: "An nkey's seed and, below it, its public key") {
                $0[keyPath: access].nkey = try secret($1)
            },
            .init(
                "password-file", value: "FILE",
                help: "The password of the URL's USER; without USER, a NATS token"
            ) { $0[keyPath: access].password = try secret($1) },
            .init(
                "ca", value: "FILE",
                help: "Encrypt, and trust these certificate authorities instead of the system's"
            ) { $0[keyPath: access].authorities = $1 },
            .init("cert", value: "FILE", help: "This machine's certificate; encrypts") {
                $0[keyPath: access].certificate = $1
            },
            .init("key", value: "FILE", help: "The certificate's private key") {
                $0[keyPath: access].key = try secret($1)
            },
        ]
    }

    private static func secret(_ path: String) throws -> SecretFile {
        try usage { try SecretFile(path) }
    }
}

extension EngineAccess {
    /// Returns the access completed with files from the environment: a program that reads a source such as
    /// `nats://…` passes them on in this way.
    func withEnvironment() throws -> EngineAccess {
        func file(_ name: String) -> String? {
            getenv("GPSBRIDGE_\(name)").map { String(cString: $0) }
        }
        func secret(_ name: String) throws -> SecretFile? {
            try file(name).map { path in try usage { try SecretFile(path) } }
        }
        var access = self
        access.credentials = try credentials ?? secret("CREDENTIALS")
        access.nkey = try nkey ?? secret("NKEY")
        access.password = try password ?? secret("PASSWORD_FILE")
        access.authorities = authorities ?? file("CA")
        access.certificate = certificate ?? file("CERT")
        access.key = try key ?? secret("KEY")
        return access
    }
}
