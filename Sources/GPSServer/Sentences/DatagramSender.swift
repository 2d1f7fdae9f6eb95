// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc

/// Sends whole sentences as datagrams. Those that the network cannot accept at once are lost.
final class DatagramSender: ReportRecipient {
    /// The limit of bytes in a datagram; longer ones would be fragmented on some networks.
    private static let longest = 1400

    private let descriptor: Descriptor
    private let address: SocketAddress

    /// Prepares a socket. Broadcast and multicast reach only the local network.
    ///
    /// Throws if the host is unknown, and a ``ServerError`` if no socket can be created.
    init(host: String, port: UInt16) async throws {
        let name = "udp://\(host):\(port)"
        let lookup = HostLookup(host: host, port: port, name: name)
        guard let address = try await lookup.find(passive: false).first,
            let descriptor = address.socket(SOCK_DGRAM)
        else { throw ServerError("cannot send to \(name)", errno: EADDRNOTAVAIL) }
        self.address = address
        self.descriptor = descriptor
        _ = descriptor.use { fd in
            var yes: CInt = 1
            setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<CInt>.size))
        }
    }

    func send(reports: [UInt8]) {
        for datagram in Self.datagrams(reports) {
            _ = descriptor.use { fd in
                address.use { address, length in
                    datagram.withUnsafeBytes {
                        sendto(fd, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT), address, length)
                    }
                }
            }
        }
    }

    /// Divides lines into pieces that each fit into a datagram.
    static func datagrams(_ lines: [UInt8]) -> [ArraySlice<UInt8>] {
        var datagrams: [ArraySlice<UInt8>] = []
        var start = lines.startIndex
        var end = start
        while end < lines.endIndex {
            let lineEnd = lines[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? lines.endIndex
            if lineEnd - start > longest, end > start {
                datagrams.append(lines[start..<end])
                start = end
            }
            end = lineEnd
        }
        if start < end { datagrams.append(lines[start..<end]) }
        return datagrams
    }
}
