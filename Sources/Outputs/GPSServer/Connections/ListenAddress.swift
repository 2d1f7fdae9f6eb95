// SPDX-License-Identifier: MIT
import GPSIO

/// An address on which a server listens.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// The loopback addresses 127.0.0.1 and ::1, which only this machine can reach.
    case loopback(port: UInt16)
    /// All addresses of this machine.
    case any(port: UInt16)
    /// A numeric address, or a host name: all addresses that it resolves to.
    case host(String, port: UInt16)
    /// The path of a Unix socket.
    case unix(String)

    /// Parses `PORT`, `HOST:PORT`, `HOST`, `*:PORT`, `[::1]:PORT` or a path that starts with `/` or
    /// `./`. A port alone means loopback. Returns `nil` if the text has none of these forms or the
    /// port exceeds 65535.
    public init?(_ text: String, defaultPort: UInt16) {
        if text.hasPrefix("/") || text.hasPrefix("./") {
            self = .unix(text)
            return
        }
        if text.drop(while: { "+-".contains($0) }).allSatisfy(\.isWholeNumber) {
            guard let port = SocketAddress.port(text) else { return nil }
            self = .loopback(port: port)
            return
        }
        // An IPv6 address without brackets has no port.
        let isBare = !text.hasPrefix("[") && text.firstIndex(of: ":") != text.lastIndex(of: ":")
        guard let (host, digits) = HostPort.split(isBare ? "[\(text)]" : text),
            let port = digits.map({ SocketAddress.port($0) }) ?? defaultPort,
            !host.contains(where: { "/ ".contains($0) })
        else { return nil }
        switch host {
        case "*": self = .any(port: port)
        case "localhost": self = .loopback(port: port)
        default: self = .host(String(host), port: port)
        }
    }

    /// The address in the form that users type.
    public var description: String {
        switch self {
        case .loopback(let port): "localhost:\(port)"
        case .any(let port): "*:\(port)"
        case .host(let host, let port): SocketAddress.text(host, port)
        case .unix(let path): path
        }
    }

    /// Returns the address with the port that `sockets` are bound to, which differs if port 0 was
    /// requested.
    func at(_ sockets: [ListeningSocket]) -> ListenAddress {
        guard let port = sockets.compactMap(\.port).first else { return self }
        return switch self {
        case .loopback: .loopback(port: port)
        case .any: .any(port: port)
        case .host(let host, _): .host(host, port: port)
        case .unix: self
        }
    }

    /// Whether only programs on this machine can connect to the address.
    package var isLocal: Bool {
        switch self {
        case .loopback, .unix: true
        case .any: false
        case .host(let host, _): Self.isLoopback(host)
        }
    }

    /// Returns whether a host is a numeric loopback address. A name may have any address.
    static func isLoopback(_ host: String) -> Bool {
        let isNumeric = host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
        return host == "::1" || host.hasPrefix("127.") && isNumeric
    }

    /// The hosts to bind to: numeric addresses, or a name to resolve. Empty for a Unix socket.
    var hosts: [String] {
        switch self {
        case .loopback: ["127.0.0.1", "::1"]
        case .any: ["0.0.0.0", "::"]
        case .host(let host, _): [host]
        case .unix: []
        }
    }

    var port: UInt16 {
        switch self {
        case .loopback(let port), .any(let port), .host(_, let port): port
        case .unix: 0
        }
    }

    /// Returns whether two addresses can certainly not be bound at the same time. Port 0 stands for
    /// any free port.
    package func overlaps(_ other: ListenAddress) -> Bool {
        if case .unix = self { return self == other }
        guard port == other.port, port != 0 else { return false }
        switch (self, other) {
        case (.any, _), (_, .any): return true
        default: return !Set(hosts).isDisjoint(with: other.hosts)
        }
    }
}
