// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc

/// A host and a port, and the sockets that can be made for them.
struct NetworkAddress {
    let host: String?
    let port: UInt16
    /// As in messages: `tcp://localhost:2947`.
    let name: String

    init(scheme: String, host: String?, port: UInt16) {
        self.host = host
        self.port = port
        name = "\(scheme)://\(host ?? "localhost"):\(port)"
    }

    /// Sockets with which `use` succeeds: the first of the addresses that the host has, or without
    /// a host one for each kind of address by which a machine reaches itself, of IPv6 and IPv4.
    ///
    func sockets(
        to purpose: String, _ type: __socket_type, _ use: (CInt, SocketAddress) -> Bool
    ) throws(SimulationError) -> [Descriptor] {
        let addresses: [SocketAddress]
        do throws(SocketAddress.LookupFailure) {
            addresses = try SocketAddress.addresses(of: host, port: port)
        } catch {
            throw SimulationError(
                "cannot \(purpose) \(name)", errno: error.errno ?? EADDRNOTAVAIL,
                error.errno == nil ? error.reason : nil)
        }
        var error = EADDRNOTAVAIL
        var sockets: [Descriptor] = []
        for address in addresses where host == nil || sockets.isEmpty {
            guard let descriptor = address.socket(type) else {
                error = errno
                continue
            }
            let failure = descriptor.use { use($0, address) ? 0 : errno } ?? EBADF
            guard failure != 0 else {
                sockets.append(descriptor)
                continue
            }
            error = failure
            // Otherwise half of the addresses would be another program's.
            guard error != EADDRINUSE || host != nil else { break }
        }
        guard !sockets.isEmpty, error != EADDRINUSE || host != nil else {
            throw SimulationError("cannot \(purpose) \(name)", errno: error)
        }
        return sockets
    }
}
