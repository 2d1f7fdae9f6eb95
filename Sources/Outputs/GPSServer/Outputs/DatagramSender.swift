// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// Sends complete sentences in UDP datagrams. Datagrams that cannot be sent immediately are lost.
/// The first failure, for example without a network, and the first success after it are logged.
final class DatagramSender: ReportRecipient {
    /// The maximum size of a datagram in bytes, unless a single sentence is longer. Larger
    /// datagrams would be fragmented on some networks.
    private static let maximumSize = 1400

    private let descriptor: Descriptor
    private let address: SocketAddress
    private let name: String
    private let log: MessageLog
    private let hasFailed = Mutex(false)

    /// Resolves the host and creates a socket. Broadcasts and multicasts reach only the local
    /// network.
    ///
    /// Throws an error if the host is unknown, and a ``ServerError`` if no socket can be created.
    init(host: String, port: UInt16, log: MessageLog) async throws {
        name = "udp://\(ListenAddress.host(host, port: port))"
        self.log = log
        let lookup = HostLookup(host: host, port: port, name: name)
        guard let address = try await lookup.find(passive: false).first,
            let descriptor = address.socket(SOCK_DGRAM)
        else { throw ServerError(cannot: "send to \(name)", errno: EADDRNOTAVAIL) }
        self.address = address
        self.descriptor = descriptor
        _ = descriptor.use { SocketOption.set($0, SOL_SOCKET, SO_BROADCAST) }
    }

    /// The numeric host to which datagrams are sent.
    var host: String? { address.host }

    func send(reports: [UInt8]) {
        for datagram in Self.datagrams(reports) {
            let error = descriptor.use { fd -> CInt in
                address.use { address, length -> CInt in
                    datagram.withUnsafeBytes {
                        sendto(fd, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT), address, length)
                            < 0 ? errno : 0
                    }
                } ?? 0
            }
            // A full buffer is not a failure.
            if let error, ![EAGAIN, ENOBUFS, EINTR].contains(error) { note(error) }
        }
    }

    /// Logs a failure after a success, or a success after a failure. `error` is an `errno`, or 0
    /// for success.
    private func note(_ error: CInt) {
        let hasChanged = hasFailed.withLock { exchange(&$0, with: error != 0) } != (error != 0)
        guard hasChanged else { return }
        if error == 0 {
            log("sending sentences to \(name) again")
        } else {
            log("\(ServerError(cannot: "send to \(name)", errno: error))", .warning)
        }
    }

    /// Splits lines into datagrams of at most `maximumSize` bytes, at the ends of lines.
    static func datagrams(_ lines: [UInt8]) -> [ArraySlice<UInt8>] {
        var datagrams: [ArraySlice<UInt8>] = []
        var start = lines.startIndex
        var end = start
        while end < lines.endIndex {
            let lineEnd = lines[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? lines.endIndex
            if lineEnd - start > maximumSize, end > start {
                datagrams.append(lines[start..<end])
                start = end
            }
            end = lineEnd
        }
        if start < end { datagrams.append(lines[start..<end]) }
        return datagrams
    }
}
