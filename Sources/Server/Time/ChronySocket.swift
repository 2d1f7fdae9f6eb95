// SPDX-License-Identifier: MIT
import Devices
import Glibc

/// chrony's SOCK reference clock: a datagram socket that chronyd creates when it starts.
final class ChronySocket: Sendable {
    private let descriptor: Descriptor
    private let address: UnixAddress

    /// Prepares to send; chronyd need not run yet.
    ///
    /// Throws a ``ServerError`` where the path is too long or there can be no socket.
    init(_ path: String) throws(ServerError) {
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd = socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard let address = UnixAddress(path), fd >= 0 else {
            if fd >= 0 { Glibc.close(fd) }
            throw ServerError("cannot send to \(path)", errno: ENAMETOOLONG)
        }
        self.address = address
        descriptor = Descriptor(fd)
    }

    /// Sends a sample; without chronyd it is lost.
    func send(_ sample: ClockSample) {
        let bytes = sample.chronyDatagram
        _ = descriptor.use { fd in
            address.use { sendto(fd, bytes, bytes.count, CInt(MSG_DONTWAIT), $0, $1) }
        }
    }
}
