// SPDX-License-Identifier: MIT
import Glibc

/// An error of starting a server.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed action: `cannot listen on localhost:2947`.
    public let what: String
    /// The `errno` of the failure.
    public let errno: CInt

    /// The default port of gpsd's protocol.
    private static let gpsdPort = 2947

    init(_ what: String, errno: CInt) {
        self.what = what
        self.errno = errno
    }

    /// The failed action, the reason, and what to do.
    public var description: String {
        let reason =
            switch errno {
            case EADDRINUSE where what.hasSuffix(":\(Self.gpsdPort)"):
                "another program listens there (gpsd?): stop it, or give another port"
            case EADDRINUSE: "another program listens there: stop it, or give another port"
            case EACCES where what.hasSuffix("shared memory"):
                "it is another user's; units 0 and 1 are root's, so take one from 2 on, or start as root"
            case EDOM:
                "units go from \(SharedMemoryClock.units.lowerBound) to \(SharedMemoryClock.units.upperBound)"
            case EEXIST: "the file there is not a socket: give another path, or remove the file"
            case ELIBACC: "it cannot be loaded (Debian: apt-get install libmicrohttpd12)"
            case ELOOP: "it would be sent what it serves itself"
            case 0: "libmicrohttpd does not start"
            default: String(cString: strerror(errno))
            }
        return "\(what): \(reason)"
    }
}
