// SPDX-License-Identifier: MIT

/// How this program proves to an engine that it may connect, and the engine that it is the right one.
package struct EngineAccess: Hashable, Sendable {
    /// A file of NATS with a user's token and seed.
    package var credentials: SecretFile?
    /// A file with an nkey's seed, and on another line its public key.
    package var nkey: SecretFile?
    /// A file with a password.
    package var password: SecretFile?
    /// A file with certificates of authorities in place of the system's.
    package var authorities: String?
    /// A file with this program's certificate.
    package var certificate: String?
    /// A file with its private key.
    package var key: SecretFile?

    /// Needs nothing.
    package init() {}

    /// Whether the connection has to be encrypted, whatever the address says.
    var needsEncryption: Bool { authorities != nil || certificate != nil }
}
