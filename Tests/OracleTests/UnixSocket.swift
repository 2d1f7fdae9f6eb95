// SPDX-License-Identifier: MIT
import Glibc
import GPSTestSupport

/// A Unix stream socket, closed with its last reference.
final class UnixSocket: Sendable {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)

    /// Listens at a path.
    init(listeningAt path: String) throws {
        guard Self.call(bind, descriptor, path) == 0, listen(descriptor, 1) == 0 else {
            throw POSIXError(errno)
        }
    }

    /// Connects to a path.
    init(connectingTo path: String) throws {
        guard Self.call(connect, descriptor, path) == 0 else { throw POSIXError(errno) }
    }

    deinit { close(descriptor) }

    private static func call(
        _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ descriptor: CInt,
        _ path: String
    ) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
