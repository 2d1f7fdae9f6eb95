// SPDX-License-Identifier: MIT

/// Credentials for an engine, and the certificate authorities that verify its server.
package struct EngineAccess: Hashable, Sendable {
    /// A NATS credentials file with a user's token and seed.
    package var credentials: SecretFile?
    /// A file with the seed of an nkey and, on another line, its public key.
    package var nkey: SecretFile?
    /// A file with a password.
    package var password: SecretFile?
    /// A file with certificate authorities that replace the system's.
    package var authorities: String?
    /// A file with this program's certificate.
    package var certificate: String?
    /// A file with the private key of the certificate.
    package var key: SecretFile?

    /// Creates access without credentials, with the system's certificate authorities.
    package init() {}

    /// Whether the connection must be encrypted even if the address does not require it.
    var needsEncryption: Bool { authorities != nil || certificate != nil }
}
