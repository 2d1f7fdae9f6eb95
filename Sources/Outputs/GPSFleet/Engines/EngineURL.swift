// SPDX-License-Identifier: MIT
import GPSIO
package import GPSReceivers

/// The address of a messaging or HTTP server: `nats://HOST[:PORT][,HOST…]`, `tls://…`, `mqtt://…`,
/// `mqtts://…`, `http://…` or `https://…`, with an optional `USER@` before the host and an optional
/// path.
package struct EngineURL: Hashable, Sendable, CustomStringConvertible {
    /// The protocol of the server.
    package enum Engine: Hashable, Sendable {
        case nats
        case mqtt
        case http
    }

    /// The protocol of the server.
    package let engine: Engine
    /// Whether the scheme requires TLS from the beginning (`tls`, `mqtts`, `https`).
    package let isSecure: Bool
    /// The user name; `nil` if the address contains none.
    package let user: String?
    /// The servers. MQTT and HTTP have exactly one, NATS may have several.
    package let servers: [NetworkEndpoint]
    /// The components of the path. If fixes are read from the server, they are `FLEET`, `BRIDGE`
    /// and `RECEIVER`.
    package let path: [String]
    /// The address without the user name, with the path. HTTP requests are sent to it.
    package let address: String
    /// The address for messages to the user. For HTTP, it has no user name and no path, because the
    /// path may contain a key.
    package let label: String

    /// The address as it was given. It contains no password.
    package let description: String

    private static let schemes: [(name: String, engine: Engine, isSecure: Bool, port: UInt16)] = [
        ("nats", .nats, false, 4222), ("tls", .nats, true, 4222),
        ("mqtt", .mqtt, false, 1883), ("mqtts", .mqtt, true, 8883),
        ("http", .http, false, 80), ("https", .http, true, 443),
    ]

    /// Parses an address. Throws an error if it is malformed or contains a password.
    package init(_ text: String) throws(FleetError) {
        guard let scheme = Self.schemes.first(where: { text.hasPrefix("\($0.name)://") }) else {
            throw FleetError(
                "not an address of NATS, MQTT or HTTP: '\(text)' (expected nats://HOST, mqtt://HOST "
                    + "or http://HOST)")
        }
        let rest = text.dropFirst(scheme.name.count + 3)
        // Queries often contain keys.
        guard scheme.engine != .http || !rest.contains("?") else {
            throw FleetError(
                "\(scheme.name)://…: every user of this machine can read a query on the command line: leave "
                    + "out ?…, and put keys into a file for --header-file or --password-file")
        }
        guard scheme.engine != .http || rest.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x23 })
        else {
            throw FleetError(
                "\(scheme.name)://…: the address has characters that must be percent-encoded, such as %20 for a space"
            )
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var authority = rest[..<slash]
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at]
            guard !user.contains(":") else {
                throw FleetError(
                    "\(scheme.name)://…: every user of this machine can read a password on the command line: put it "
                        + "into a file for --password-file")
            }
            self.user = String(user)
            authority = authority[authority.index(after: at)...]
        } else {
            user = nil
        }
        let server = "\(scheme.name)://\(authority)"
        let label = scheme.engine == .http ? server : text
        var servers: [NetworkEndpoint] = []
        for part in authority.split(separator: ",", omittingEmptySubsequences: false) {
            guard let endpoint = Self.endpoint(part, port: scheme.port) else {
                throw FleetError(
                    "not a server: '\(part)' in '\(label)' (expected HOST or HOST:PORT)")
            }
            servers.append(endpoint)
        }
        guard scheme.engine == .nats || servers.count == 1 else {
            throw FleetError("'\(label)' has several servers, but MQTT and HTTP use only one")
        }
        engine = scheme.engine
        isSecure = scheme.isSecure
        self.servers = servers
        path = rest[slash...].split(separator: "/").map(String.init)
        address = server + rest[slash...]
        self.label = label
        description = text
    }

    /// Parses `HOST`, `HOST:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`; `nil` if the text is malformed.
    private static func endpoint(_ text: Substring, port: UInt16) -> NetworkEndpoint? {
        guard let (host, digits) = HostPort.split(text),
            let port = digits.map({ SocketAddress.port($0) }) ?? port, port > 0
        else { return nil }
        return NetworkEndpoint(host: String(host), port: port)
    }
}
