// SPDX-License-Identifier: MIT
package import GPSIO
import GPSReceivers
import Glibc

/// An address on which a server listens.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
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
    package init?(_ text: String, defaultPort: UInt16) {
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
    package var description: String {
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

extension ListenAddress {
    /// Throws the error that listening would throw if the host is unknown, or if the file of a Unix
    /// socket cannot be created. Does not listen. Blocks until a name server answers.
    func check() throws {
        guard case .unix(let path) = self else {
            for host in hosts {
                try HostLookup(host: host, port: port, name: "\(self)").check(passive: true)
            }
            return
        }
        guard SocketAddress(unix: path) != nil else {
            throw ServerError(.listen(self), errno: ENAMETOOLONG)
        }
        let kind = try? Node(path).kind()
        let error = kind == nil || kind == .socket ? Folder.writeError(at: path) : EEXIST
        guard error == 0 else { throw ServerError(.listen(self), errno: error) }
    }
}

extension ListeningSocket {
    /// Listens on a Unix socket that only this process's user and root can use.
    ///
    /// Throws a ``ServerError`` if the socket cannot be created or is in use.
    static func listen(atOwn path: String) throws(ServerError) -> ListeningSocket {
        do throws(IOError) {
            return try ListeningSocket(path: path, mode: 0o600, poller: .clients)
        } catch {
            throw ServerError(.listen(.unix(path)), errno: error.errno)
        }
    }

    /// Listens on every address that `address` stands for and that can be bound. Port 0 selects a
    /// free port.
    ///
    /// Throws a ``ServerError`` if none of the addresses can be bound or if one of them is in use,
    /// and a `DeviceError` if the host is unknown.
    package static func listen(on address: ListenAddress) async throws -> [ListeningSocket] {
        do throws(IOError) {
            if case .unix(let path) = address {
                return [try ListeningSocket(path: path, poller: .clients)]
            }
            var addresses: [SocketAddress] = []
            for host in address.hosts {
                let lookup = HostLookup(host: host, port: address.port, name: "\(address)")
                addresses += try await lookup.addresses(passive: true)
            }
            return try listen(at: addresses, name: "\(address)", poller: .clients)
        } catch {
            guard error.operation == .listen else { throw DeviceError(error) }
            throw ServerError(.listen(address), errno: error.errno)
        }
    }

    package typealias Opened = (address: ListenAddress, sockets: [ListeningSocket])

    /// Listens on addresses, in addition to `passed`, the sockets that systemd has opened. `opened`
    /// does not contain addresses that `passed` already serves. `refused` contains the addresses
    /// that cannot be bound because a socket of `passed` uses their port. For example, `*:2947` is
    /// refused if systemd has bound 127.0.0.1:2947.
    ///
    /// Throws the errors of `listen(on:)`.
    package static func listen(
        on addresses: [ListenAddress], addingTo passed: [ListeningSocket]
    ) async throws -> (opened: [Opened], refused: [ListenAddress]) {
        var opened: [Opened] = []
        var refused: [ListenAddress] = []
        for address in addresses {
            let rivals = passed.filter { $0.port == address.port }
            guard !rivals.contains(where: { $0.serves(address) }) else { continue }
            do {
                let sockets = try await listen(on: address)
                opened.append((address, sockets))
            } catch let error as ServerError where error.errno == EADDRINUSE && !rivals.isEmpty {
                refused.append(address)
            }
        }
        return (opened, refused)
    }

    /// Returns whether clients that connect to `address` reach this socket; `false` for Unix
    /// sockets.
    func serves(_ address: ListenAddress) -> Bool {
        guard port == address.port else { return false }
        if name == "0.0.0.0:\(address.port)" || name == "[::]:\(address.port)" { return true }
        return name == "\(address)" || address.isLocal && self.address?.isLocal == true
    }

    /// Whether a connection to a loopback address can reach the socket: it is bound to such an
    /// address, or to all addresses.
    var isOnLoopback: Bool {
        guard let port, let address else { return false }
        return address.isLocal || name == "0.0.0.0:\(port)" || name == "[::]:\(port)"
    }

    /// The port; `nil` for a Unix socket.
    package var port: UInt16? { address?.port }

    /// The address and port, or the path of a Unix socket, for log messages.
    var name: String { address?.text ?? "an unnamed socket" }
}
