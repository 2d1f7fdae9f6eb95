// SPDX-License-Identifier: MIT
package import GPSIO
import GPSReceivers
import Glibc

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

    /// An address, and the sockets that listen on it.
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
