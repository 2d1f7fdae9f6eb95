// SPDX-License-Identifier: MIT
import GPSIO

/// An address on which a server listens.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// This machine only: 127.0.0.1 and ::1.
    case loopback(port: UInt16)
    /// All addresses of this machine.
    case any(port: UInt16)
    /// A host name, with all its addresses, or a numeric address.
    case host(String, port: UInt16)
    /// The path of a Unix socket.
    case unix(String)

    /// Parses `PORT`, `HOST:PORT`, `HOST`, `*:PORT`, `[::1]:PORT` or a path; `nil` if the text is
    /// none of these, the port exceeds 65535, or the host before a colon is missing.
    public init?(_ text: String, defaultPort: UInt16) {
        if text.hasPrefix("/") || text.hasPrefix("./") {
            self = .unix(text)
            return
        }
        if text.drop(while: { "+-".contains($0) }).allSatisfy(\.isWholeNumber) {
            guard let port = UInt16(text) else { return nil }
            self = .loopback(port: port)
            return
        }
        var host = text
        var port = defaultPort
        if let colon = text.lastIndex(of: ":"), text.hasSuffix("]") == false,
            !text[..<colon].contains(":") || text.hasPrefix("[")
        {
            guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
            port = number
            host = String(text[..<colon])
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty, !host.contains("/"), !host.contains(" ") else { return nil }
        switch host {
        case "*": self = .any(port: port)
        case "localhost": self = .loopback(port: port)
        default: self = .host(host, port: port)
        }
    }

    /// The address as a user would type it.
    public var description: String {
        switch self {
        case .loopback(let port): "localhost:\(port)"
        case .any(let port): "*:\(port)"
        case .host(let host, let port): SocketAddress.text(host, port)
        case .unix(let path): path
        }
    }

    /// Returns the address with the port that sockets were bound to, which differs for port 0.
    func at(_ sockets: [ListeningSocket]) -> ListenAddress {
        guard let port = sockets.lazy.compactMap(\.port).first else { return self }
        return switch self {
        case .loopback: .loopback(port: port)
        case .any: .any(port: port)
        case .host(let host, _): .host(host, port: port)
        case .unix: self
        }
    }

    /// Whether only programs on this machine can connect.
    public var isLocal: Bool {
        switch self {
        case .loopback, .unix: true
        case .any: false
        case .host(let host, _): host == "::1" || host.hasPrefix("127.")
        }
    }

    /// The hosts to bind: numeric addresses, or a name to look up.
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
}
