// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// A host and a port of an output.
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

    /// The addresses that the host has; without a host those by which a machine reaches itself, of IPv6 and IPv4.
    func addresses(to purpose: String) throws(SimulationError) -> [SocketAddress] {
        do throws(SocketAddress.LookupFailure) {
            return try SocketAddress.addresses(of: host, port: port)
        } catch {
            throw SimulationError(
                "cannot \(purpose) \(name)", errno: error.errno ?? EADDRNOTAVAIL,
                error.errno == nil ? error.reason : nil)
        }
    }
}
