// SPDX-License-Identifier: MIT
import Glibc

/// Why a server cannot listen.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried: `cannot listen on localhost:2947`.
    public let what: String
    /// The `errno` behind it.
    public let errno: CInt

    init(_ what: String, errno: CInt) {
        self.what = what
        self.errno = errno
    }

    /// What was tried, and why it failed.
    public var description: String {
        let reason =
            switch errno {
            case EADDRINUSE: "another program listens there (gpsd?)"
            case ELIBACC: "it cannot be loaded (Debian: apt-get install libmicrohttpd12)"
            case ELOOP: "it would be sent what it serves itself"
            default: String(cString: strerror(errno))
            }
        return "\(what): \(reason)"
    }
}
