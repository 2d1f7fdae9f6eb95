// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// The host and port of an output.
struct NetworkAddress {
    let host: String?
    let port: UInt16
    /// The address for error messages, such as `tcp://localhost:2947`.
    let name: String

    init(scheme: String, host: String?, port: UInt16) {
        self.host = host
        self.port = port
        name = "\(scheme)://\(SocketAddress.text(host ?? "localhost", port))"
    }

    /// Returns the addresses of the host or, if it is `nil`, the loopback addresses (IPv6 and
    /// IPv4). `purpose` is a verb for the error message, such as `listen on`.
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
