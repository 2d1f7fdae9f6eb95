// SPDX-License-Identifier: MIT
package import GPSIO
import Glibc

/// A receiver's sentences from UDP datagrams that are sent to this machine or to a multicast group.
public struct UDPSource: DeviceSource {
    /// The local address to listen on, or the multicast group to join; `nil` for every local
    /// address.
    public let host: String?
    /// The port to listen on.
    public let port: UInt16
    package var poller = Poller.shared

    /// Creates a source; `open()` starts to listen.
    public init(host: String? = nil, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The name on the command line: `udp://:10110`.
    public var name: String {
        "udp://\(SocketAddress.text(host ?? "", port))"
    }
    /// The kind of source: UDP datagrams.
    public var kind: SourceKind { .udp }

    /// Listens for datagrams from any sender.
    ///
    /// Throws `.hostUnknown`, `.busy` if another program uses the port, `.permissionDenied` for a
    /// privileged port, `.unreachable` if the address does not belong to this machine, or
    /// `.cancelled`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        let lookup = HostLookup(host: host, port: port, name: name)
        let addresses = try await lookup.find(passive: true)
        var reason = EADDRNOTAVAIL
        // IPv6 comes first, because its sockets also receive IPv4.
        for address in addresses.filter({ $0.family == AF_INET6 })
            + addresses.filter({ $0.family != AF_INET6 })
        {
            guard let descriptor = address.socket(SOCK_DGRAM, poller: poller) else {
                reason = errno
                continue
            }
            reason = descriptor.use { bind($0, to: address) } ?? ECANCELED
            guard reason != 0 else {
                return DescriptorConnection(
                    descriptor, name: name, chunk: 65_536, end: .emptyDatagram)
            }
        }
        let code: DeviceError.Code =
            switch reason {
            case EADDRINUSE: .busy
            case EACCES: .permissionDenied
            default: .unreachable
            }
        throw DeviceError(code, device: name, errno: reason)
    }

    /// Returns an object that ends each wait after 30 seconds, because an address cannot be
    /// watched. A session tries to open the source again at growing intervals of at most 30
    /// seconds.
    public func availability() -> (any DeviceAvailability)? { PeriodicRetry(poller: poller) }

    /// Binds the socket and joins a multicast group; returns 0 or an `errno`.
    private func bind(_ fd: CInt, to address: SocketAddress) -> CInt {
        if address.family == AF_INET6, host == nil {
            SocketOption.set(fd, CInt(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        // Each multicast datagram is delivered to all sockets of its group, so they can share the
        // port. Other datagrams are delivered to one socket only.
        if address.isMulticast { SocketOption.set(fd, SOL_SOCKET, SO_REUSEADDR) }
        guard address.use({ Glibc.bind(fd, $0, $1) }) == 0 else { return errno }
        return address.isMulticast ? address.join(fd) : 0
    }
}

extension DeviceSource where Self == UDPSource {
    /// A receiver's sentences from UDP datagrams that are sent to a port of this machine, or to a
    /// multicast group.
    public static func udp(host: String? = nil, port: UInt16) -> UDPSource {
        UDPSource(host: host, port: port)
    }
}
