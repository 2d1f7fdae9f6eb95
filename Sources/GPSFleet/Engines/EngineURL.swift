// SPDX-License-Identifier: MIT
package import GPSReceivers

/// The address of an engine: `nats://HOST[:PORT][,HOST…]`, `tls://…`, `mqtt://…` or `mqtts://…`,
/// with an optional `USER@` before the host and an optional path.
package struct EngineURL: Hashable, Sendable, CustomStringConvertible {
    /// The protocol of the engine.
    package enum Engine: Hashable, Sendable {
        case nats
        case mqtt
    }

    /// The protocol of the engine.
    package let engine: Engine
    /// Whether the connection is encrypted from its beginning.
    package let isSecure: Bool
    /// The user name.
    package let user: String?
    /// The servers; NATS allows several.
    package let servers: [NetworkEndpoint]
    /// The parts of the path: `FLEET/BRIDGE/RECEIVER` of a source.
    package let path: [String]

    /// The text of the address, which contains no secret.
    package let description: String

    private static let schemes: [(name: String, engine: Engine, isSecure: Bool, port: UInt16)] = [
        ("nats", .nats, false, 4222), ("tls", .nats, true, 4222),
        ("mqtt", .mqtt, false, 1883), ("mqtts", .mqtt, true, 8883),
    ]

    /// Parses an address. Throws if it is malformed or contains a password.
    package init(_ text: String) throws(FleetError) {
        guard let scheme = Self.schemes.first(where: { text.hasPrefix("\($0.name)://") }) else {
            throw FleetError(
                "not an address of NATS or MQTT: '\(text)' (expected nats://HOST or mqtt://HOST)")
        }
        let rest = text.dropFirst(scheme.name.count + 3)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var authority = rest[..<slash]
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at]
            guard !user.contains(":") else {
                throw FleetError(
                    "\(scheme.name)://…: everyone can read a password on the command line: write it "
                        + "to a file, and give that to --password-file")
            }
            self.user = String(user)
            authority = authority[authority.index(after: at)...]
        } else {
            user = nil
        }
        var servers: [NetworkEndpoint] = []
        for part in authority.split(separator: ",", omittingEmptySubsequences: false) {
            guard let server = Self.endpoint(part, port: scheme.port) else {
                throw FleetError("'\(text)': '\(part)' is no HOST[:PORT]")
            }
            servers.append(server)
        }
        guard scheme.engine == .nats || servers.count == 1 else {
            throw FleetError("'\(text)': MQTT has one server")
        }
        engine = scheme.engine
        isSecure = scheme.isSecure
        self.servers = servers
        path = rest[slash...].split(separator: "/").map(String.init)
        description = text
    }

    /// Parses `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`.
    private static func endpoint(_ text: Substring, port: UInt16) -> NetworkEndpoint? {
        var host = text
        var number = port
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            guard let given = UInt16(text[text.index(after: colon)...]), given > 0 else {
                return nil
            }
            number = given
            host = text[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return host.isEmpty ? nil : NetworkEndpoint(host: String(host), port: number)
    }
}
