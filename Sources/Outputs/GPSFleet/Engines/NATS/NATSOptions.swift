// SPDX-License-Identifier: MIT
import CGPSNATS
import GPSIO
import GPSReceivers
import Glibc

/// The options of a NATS connection.
///
/// The corresponding C type is `natsOptions`.
final class NATSOptions {
    let pointer: OpaquePointer

    /// Creates options from an address and credentials.
    ///
    /// Throws an error if a file cannot be used.
    init(_ url: EngineURL, _ access: EngineAccess, name: String) throws(FleetError) {
        var pointer: OpaquePointer?
        guard natsOptions_Create(&pointer) == NATS_OK, let pointer else {
            throw FleetError("out of memory")
        }
        self.pointer = pointer
        try setServers(url)
        natsOptions_SetName(pointer, name)
        natsOptions_SetMaxReconnect(pointer, -1)
        natsOptions_SetReconnectWait(pointer, 1000)
        // The delay is random, so that the clients of a fleet do not all reconnect in the same
        // second.
        natsOptions_SetReconnectJitter(pointer, 2000, 5000)
        // With pings every 20 s, a dead connection is detected within a minute.
        natsOptions_SetPingInterval(pointer, 20_000)
        natsOptions_SetTimeout(pointer, 5000)
        natsOptions_SetWriteDeadline(pointer, 10_000)
        try setAccess(url, access)
    }

    deinit { natsOptions_Destroy(pointer) }

    private func check(_ status: natsStatus, _ what: String) throws(FleetError) {
        guard status == NATS_OK else {
            throw FleetError("\(what): \(NATSConnection.lastError(status))")
        }
    }

    private func setServers(_ url: EngineURL) throws(FleetError) {
        let scheme = url.isSecure ? "tls" : "nats"
        let texts = url.servers.map { "\(scheme)://\(SocketAddress.text($0.host, $0.port))" }
        let status = withCStrings(texts) { texts in
            var texts = texts
            return natsOptions_SetServers(pointer, &texts, CInt(texts.count))
        }
        try check(status, "\(url)")
    }

    private func setAccess(_ url: EngineURL, _ access: EngineAccess) throws(FleetError) {
        if url.isSecure || access.needsEncryption { natsOptions_SetSecure(pointer, true) }
        if let file = access.authorities {
            try check(natsOptions_LoadCATrustedCertificates(pointer, file), file)
        }
        if let file = access.certificate {
            guard let key = access.key else {
                throw FleetError(
                    "the certificate \(file) needs its private key: give it with --key FILE")
            }
            try check(natsOptions_LoadCertificatesChain(pointer, file, key.path), file)
        }
        if let file = access.credentials {
            try check(
                natsOptions_SetUserCredentialsFromFiles(pointer, file.path, nil), file.path)
        }
        if let file = access.nkey {
            let key = try file.publicKey()
            try check(natsOptions_SetNKeyFromSeed(pointer, key, file.path), file.path)
        }
        if let file = access.password {
            let password = try file.firstLine()
            try check(
                url.user.map { natsOptions_SetUserInfo(pointer, $0, password) }
                    ?? natsOptions_SetToken(pointer, password), file.path)
        } else if url.user != nil, access.credentials == nil, access.nkey == nil,
            access.certificate == nil
        {
            // libnats does not send a user name without a password. The name is not printed,
            // because other NATS programs interpret it as a token.
            throw FleetError(
                "\(url.isSecure ? "tls" : "nats")://USER@…: the user needs a password: put it into a "
                    + "file for --password-file; for a token, also leave USER@ out of the address",
                isPermanent: true)
        }
    }

    /// Makes the connection send its events to a `NATSEventHandler`. The handler is released when
    /// the connection is closed.
    func report(to handler: UnsafeMutableRawPointer, waitsForServer: Bool) {
        natsOptions_SetRetryOnFailedConnect(pointer, waitsForServer, Self.connected, handler)
        natsOptions_SetReconnectedCB(pointer, Self.connected, handler)
        natsOptions_SetDisconnectedCB(pointer, Self.disconnected, handler)
        natsOptions_SetClosedCB(pointer, Self.closed, handler)
        natsOptions_SetErrorHandler(pointer, Self.error, handler)
    }

    private static func handler(_ context: UnsafeMutableRawPointer?) -> NATSEventHandler? {
        // Safety: the handler lives until the last callback, `closed`, has ended.
        context.map { Unmanaged<NATSEventHandler>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns the text of a connection's last error.
    static func lastError(_ connection: OpaquePointer?) -> String {
        var text: UnsafePointer<CChar>?
        let status = natsConnection_GetLastError(connection, &text)
        let words = text.map { String(cString: $0) } ?? ""
        if !words.isEmpty { return words }
        return status == NATS_OK
            ? "the connection to the server was lost" : NATSConnection.text(status)
    }

    private static let connected: natsConnectionHandler = { _, context in
        handler(context)?.handle(.connected)
    }

    private static let disconnected: natsConnectionHandler = { connection, context in
        handler(context)?.handle(.disconnected(lastError(connection)))
    }

    /// The callback for a closed connection. It is called once, after all other callbacks.
    private static let closed: natsConnectionHandler = { connection, context in
        handler(context)?.handle(.closed(lastError(connection)))
        // Safety: this balances `passRetained` in `NATSConnection.init`, once, after all callbacks.
        if let context { Unmanaged<NATSEventHandler>.fromOpaque(context).release() }
    }

    private static let error: natsErrHandler = { connection, _, status, context in
        let text = lastError(connection)
        handler(context)?.handle(.error(text))
    }
}

extension SecretFile {
    /// Returns the public key of an nkey, which is in the same file as the seed if
    /// `nk -gen user -pubout` wrote it.
    fileprivate func publicKey() throws(FleetError) -> String {
        guard let key = try lines().first(where: { $0.count == 56 && $0.hasPrefix("U") }) else {
            throw FleetError(
                "\(path) has no public key: below the seed, it must contain the line that begins with U, "
                    + "as `nk -gen user -pubout` writes it")
        }
        return key
    }
}
