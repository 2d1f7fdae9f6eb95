// SPDX-License-Identifier: MIT

/// The credentials for a server, and the certificate authorities for verifying its certificate.
package struct EngineAccess: Hashable, Sendable {
    /// A NATS credentials file with a user's token and seed.
    package var credentials: SecretFile?
    /// A file with an nkey's seed and, on another line, its public key.
    package var nkey: SecretFile?
    /// A file with a password.
    package var password: SecretFile?
    /// A file with header lines for HTTP requests.
    package var headers: SecretFile?
    /// The path of a file with certificate authorities, which are used instead of the system's
    /// authorities. libnats also trusts the system's authorities.
    package var authorities: String?
    /// The path of a file with this program's TLS certificate.
    package var certificate: String?
    /// A file with the certificate's private key.
    package var key: SecretFile?

    /// Creates access without credentials, with the system's certificate authorities.
    package init() {}

    /// A copy without the files that only NATS uses.
    package var withoutNATS: EngineAccess {
        var access = self
        (access.credentials, access.nkey) = (nil, nil)
        return access
    }

    /// Returns the access for one of several targets, which use the same options.
    ///
    /// If there are NATS targets, the other targets do not get the files that only NATS uses. If
    /// any target has a user, only targets with a user get the password. A NATS target without a
    /// user uses the password as its token, but gets it only if all targets are NATS targets
    /// without a user. These rules are needed because a NATS server could otherwise receive the
    /// password of another server.
    package func forTarget(_ url: EngineURL, among targets: [EngineURL]) -> EngineAccess {
        let isNATS = url.engine == .nats
        var access = !isNATS && targets.contains { $0.engine == .nats } ? withoutNATS : self
        let isForOthers = targets.contains { $0.user != nil || isNATS && $0.engine != .nats }
        if url.user == nil, isForOthers { access.password = nil }
        return access
    }

    /// Checks that the protocol of an address can use all files that are set. Throws an error if it
    /// cannot.
    package func check(for url: EngineURL) throws(FleetError) {
        guard url.engine != .nats, self != withoutNATS else { return }
        let options = [("--credentials", credentials), ("--nkey", nkey)]
            .filter { $0.1 != nil }.map(\.0).joined(separator: " and ")
        let others =
            url.engine == .mqtt
            ? "for MQTT, use mqtt://USER@HOST with --password-file FILE"
            : "for HTTP, use --header-file FILE or --password-file FILE"
        throw FleetError(
            "\(url.label): \(options) can only be used with NATS; \(others), or --cert FILE with --key FILE"
        )
    }

    /// Whether the connection must be encrypted even if the address does not require it.
    var needsEncryption: Bool { authorities != nil || certificate != nil }
}
