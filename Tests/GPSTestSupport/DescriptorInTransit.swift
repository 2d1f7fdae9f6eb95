// SPDX-License-Identifier: MIT
import Glibc

/// An open file that is not among the descriptors of any process, so that `/proc` does not show
/// its owner: it is in a socket, on its way to this process (`SCM_RIGHTS`).
package final class DescriptorInTransit {
    private let ends: (CInt, CInt)

    /// Opens a tty and sends its descriptor.
    package init(tty path: String) throws {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(errno) }
        self.ends = (ends[0], ends[1])
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(errno) }
        defer { close(descriptor) }
        var message = Message()
        message.descriptor = descriptor
        guard message.pass({ sendmsg(ends[0], $0, 0) }) == 1 else { throw POSIXError(errno) }
    }

    deinit {
        close(ends.0)
        close(ends.1)
    }

    /// Receives the descriptor into this process; the caller closes it.
    package func receive() throws -> CInt {
        var message = Message()
        let flags = CInt(MSG_CMSG_CLOEXEC)
        guard message.pass({ recvmsg(ends.1, $0, flags) }) == 1, message.descriptor >= 0 else {
            throw POSIXError(errno)
        }
        return message.descriptor
    }

    /// One byte, and a descriptor in the layout of `CMSG_DATA`.
    private struct Message {
        private var header = cmsghdr()
        var descriptor: CInt = -1
        private var padding: CInt = 0

        init() {
            header.cmsg_len = MemoryLayout<cmsghdr>.size + MemoryLayout<CInt>.size
            header.cmsg_level = SOL_SOCKET
            header.cmsg_type = CInt(SCM_RIGHTS)
        }

        mutating func pass(_ call: (UnsafeMutablePointer<msghdr>) -> Int) -> Int {
            var byte: UInt8 = 0
            return withUnsafeMutableBytes(of: &byte) { byte in
                var vector = iovec(iov_base: byte.baseAddress, iov_len: 1)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    withUnsafeMutableBytes(of: &self) { control in
                        var message = msghdr()
                        message.msg_iov = vector
                        message.msg_iovlen = 1
                        message.msg_control = control.baseAddress
                        message.msg_controllen = control.count
                        return call(&message)
                    }
                }
            }
        }
    }
}
