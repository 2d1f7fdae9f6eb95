// SPDX-License-Identifier: MIT
package import GPSIO
import GPSReceivers

extension ListeningSocket {
    /// Listens on every address that can be bound; port 0 uses a free port.
    ///
    /// Throws a ``ServerError`` if no address can be bound or one is in use, and a `DeviceError` if
    /// the host is unknown.
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
            throw ServerError("cannot listen on \(error.name)", errno: error.errno)
        }
    }

    /// The port; `nil` for a Unix socket.
    package var port: UInt16? { address?.port }

    /// The address and port, or the path of a Unix socket.
    var name: String { address?.text ?? "a socket without a name" }
}
