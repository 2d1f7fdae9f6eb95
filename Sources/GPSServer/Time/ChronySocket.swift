// SPDX-License-Identifier: MIT
import CGPSRelay
import GPSIO
import GPSReceivers
import Glibc

/// chrony's SOCK reference clock: a datagram socket that chronyd creates each time it starts.
package final class ChronySocket: Sendable {
    private enum Way {
        case direct(SocketAddress)
        /// A helper process that keeps the rights that this process gives up.
        case relay
    }

    /// The socket's path.
    package let path: String
    private let descriptor: Descriptor
    private let way: Way

    /// Prepares to send; chronyd need not run yet.
    ///
    /// With `keepsRights`, a helper process sends the samples with the current rights, even after
    /// this process has given them up: only root may write to the socket, which chronyd creates
    /// anew at each start.
    ///
    /// Throws a ``ServerError`` if the path is too long or no socket can be created.
    package init(_ path: String, keepsRights: Bool = false) throws(ServerError) {
        let what = "cannot send to '\(path)'"
        guard !path.isEmpty, let address = SocketAddress(unix: path) else {
            throw ServerError(what, errno: path.isEmpty ? ENOENT : ENAMETOOLONG)
        }
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd =
            keepsRights
            ? crelay_start(path) : socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard fd >= 0 else { throw ServerError(what, errno: errno) }
        self.path = path
        way = keepsRights ? .relay : .direct(address)
        descriptor = Descriptor(fd)
    }

    /// Sends a sample, which is lost if chronyd does not run.
    ///
    /// Returns the `errno`, or 0 on success. With a helper process, returns the result of an
    /// earlier sample, or `nil` if there is none yet.
    package func send(_ sample: ClockSample) -> CInt? {
        let bytes = sample.chronyDatagram
        let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
        return descriptor.use { fd -> CInt? in
            switch way {
            case .direct(let address):
                let count = address.use { sendto(fd, bytes, bytes.count, flags, $0, $1) }
                return count == bytes.count ? 0 : errno
            case .relay:
                let result = Self.lastResult(fd)
                // The helper process has ended.
                guard Glibc.send(fd, bytes, bytes.count, flags) >= 0 || errno == EAGAIN else {
                    return ESRCH
                }
                return result
            }
        } ?? ESRCH
    }

    /// Returns the last result received from the helper process.
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
