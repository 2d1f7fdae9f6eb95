// SPDX-License-Identifier: MIT
import GPSIO
import Glibc
import Synchronization

/// An output that sends sentences as UDP datagrams to one address, which may be a broadcast
/// address.
///
/// Each datagram contains complete sentences and UBX frames; only a frame that is longer than a
/// datagram is split. Data that cannot be sent, for example because no program listens, is dropped
/// and counted.
public final class SimulatedDatagrams: SimulationOutput {
    /// The maximum size of a datagram in bytes. It fits into an Ethernet frame.
    private static let maximumSize = 1400

    private let descriptor: Descriptor
    private let unsent = Mutex<[UInt8]>([])
    private let dropped = Atomic<Int>(0)

    /// Creates a socket that sends to a host.
    ///
    /// Throws a ``SimulationError``, for example if the host does not exist.
    public init(host: String, port: UInt16) throws(SimulationError) {
        let address = NetworkAddress(scheme: "udp", host: host, port: port)
        guard port > 0 else {
            throw SimulationError("cannot send to \(address.name)", errno: EADDRNOTAVAIL)
        }
        var failure = EADDRNOTAVAIL
        for found in try address.addresses(to: "send to") {
            if let descriptor = found.socket(SOCK_DGRAM), Self.connect(descriptor, to: found) {
                self.descriptor = descriptor
                return
            }
            failure = errno
        }
        throw SimulationError("cannot send to \(address.name)", errno: failure)
    }

    /// Connects a socket. On failure, returns `false` and sets `errno`.
    private static func connect(_ descriptor: Descriptor, to address: SocketAddress) -> Bool {
        let status = descriptor.use { fd in
            SocketOption.set(fd, SOL_SOCKET, SO_BROADCAST)
            return address.use { Glibc.connect(fd, $0, $1) }
        }
        return status == 0
    }

    /// The number of bytes that could not be sent.
    public var droppedByteCount: Int { dropped.load(ordering: .relaxed) }

    /// Sends all complete sentences and frames. An incomplete one is kept and sent after the next
    /// call.
    public func send(_ bytes: [UInt8]) {
        unsent.withLock { unsent in
            unsent += bytes
            while let end = Self.end(of: unsent) {
                send(unsent[..<end])
                unsent.removeFirst(end)
            }
        }
    }

    /// Closes the socket.
    public func close() {
        descriptor.close()
    }

    /// Returns the size of the next datagram: as many complete sentences and frames as fit, or the
    /// maximum size if the first one does not fit. Returns `nil` if more bytes are needed.
    private static func end(of bytes: [UInt8]) -> Int? {
        var end = 0
        while let next = MessageBoundaries.end(of: bytes, from: end), next <= maximumSize {
            end = next
        }
        if end > 0 { return end }
        return bytes.count >= maximumSize ? maximumSize : nil
    }

    private func send(_ datagram: ArraySlice<UInt8>) {
        let (_, error) = descriptor.write(datagram, by: .send)
        if error != 0 { dropped.add(datagram.count, ordering: .relaxed) }
    }
}
