// SPDX-License-Identifier: MIT
import CGPSRelay
import GNSS
import GPSIO
import Glibc

/// Sends samples to a SOCK reference clock of chrony. Its datagram socket is created by chronyd at
/// each start.
package final class ChronySocket: Sendable {
    /// The path of chronyd's socket.
    package let path: String
    private let descriptor: Descriptor
    /// The address of chronyd's socket; `nil` if a helper process sends, which keeps the privileges
    /// that this process drops.
    private let address: SocketAddress?

    /// Prepares to send. chronyd does not have to be running.
    ///
    /// If `keepsRights` is `true`, a helper process sends the samples with the current privileges,
    /// even after this process has dropped them. This is necessary because chronyd recreates the
    /// socket at each start, and only root may write to it.
    ///
    /// Throws a ``ServerError`` if the path is empty or too long, or if no socket can be created.
    package init(_ path: String, keepsRights: Bool = false) throws(ServerError) {
        let action = "send to '\(path)'"
        guard !path.isEmpty, let address = SocketAddress(unix: path) else {
            throw ServerError(cannot: action, errno: path.isEmpty ? ENOENT : ENAMETOOLONG)
        }
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd =
            keepsRights
            ? crelay_start(FileName.native(path))
            : socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard fd >= 0 else { throw ServerError(cannot: action, errno: errno) }
        self.path = path
        self.address = keepsRights ? nil : address
        descriptor = Descriptor(fd)
    }

    /// Sends a sample. It is lost if chronyd is not running.
    ///
    /// Returns 0 on success, otherwise the `errno`. With a helper process, returns the latest
    /// result of earlier samples that has arrived since the last call, or `nil` if none has.
    package func send(_ sample: ClockSample) -> CInt? {
        let bytes = sample.chronyDatagram
        let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
        return descriptor.use { fd -> CInt? in
            if let address {
                let count = address.use { sendto(fd, bytes, bytes.count, flags, $0, $1) }
                return count == bytes.count ? 0 : errno
            }
            let result = Self.lastResult(fd)
            // Any other error means that the helper process has ended.
            guard Glibc.send(fd, bytes, bytes.count, flags) >= 0 || errno == EAGAIN else {
                return ESRCH
            }
            return result
        } ?? ESRCH
    }

    /// Reads all results that the helper process has sent, and returns the last one: 0 or an
    /// `errno`; `nil` if there is none.
    private static func lastResult(_ fd: CInt) -> CInt? {
        var result: CInt?
        var next: CInt = 0
        while recv(fd, &next, MemoryLayout<CInt>.size, CInt(MSG_DONTWAIT))
            == MemoryLayout<CInt>.size
        {
            result = next
        }
        return result
    }
}
