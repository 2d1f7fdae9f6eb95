// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// The host and port of an output.
struct NetworkAddress {
    let host: String?
    let port: UInt16
    /// The name for messages: `tcp://localhost:2947`.
    let name: String

    init(scheme: String, host: String?, port: UInt16) {
        self.host = host
        self.port = port
        name = "\(scheme)://\(host ?? "localhost"):\(port)"
    }

    /// Returns the addresses of the host; without a host the loopback addresses, IPv6 and IPv4.
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
