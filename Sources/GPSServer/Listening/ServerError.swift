// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// An error that occurred when starting a server.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed action, such as `cannot listen on localhost:2947`.
    public let what: String
    /// The `errno` of the failure. Some values stand for failures of the server itself: `EALREADY`
    /// means that a receiver is already served.
    public let errno: CInt

    /// The default port of gpsd's protocol.
    private static let gpsdPort = 2947

    private static let can = "cannot use the CAN interface "
    private static let listen = "cannot listen on "

    init(_ what: String, errno: CInt) {
        self.what = what
        self.errno = errno
    }

    /// Creates the error for a CAN interface that cannot be used.
    init(can interface: String, errno: CInt) {
        self.init(Self.can + interface, errno: errno)
    }

    /// The failed action, the reason and, where possible, what to do about it.
    public var description: String {
        let reason =
            switch errno {
            case EADDRINUSE where what.hasSuffix(":\(Self.gpsdPort)"):
                "another program listens there (gpsd, or gpsbridge.socket of systemd?): stop it, or give another "
                    + "port: --listen 2948"
            case _ where what.hasPrefix(Self.can): canReason
            case _ where isListening && socketPath == nil: IOError.reasonOfListening(errno)
            case EADDRINUSE: "another program listens there: stop it, or give another path"
            case EACCES where what.hasSuffix("shared memory"):
                "it belongs to another user; units 0 and 1 are root's, so use one from 2 up, or start as root"
            case EBUSY where what.hasSuffix("shared memory"):
                "it receives the pulses of the unit before it, so it cannot receive sentences"
            case EDOM:
                "units go from \(SharedMemoryClock.units.lowerBound) to \(SharedMemoryClock.units.upperBound)"
            case EEXIST: "the file there is not a socket: give another path, or remove the file"
            case ELIBACC: "it cannot be loaded (Debian: apt-get install libmicrohttpd12)"
            case EALREADY: "it is already served"
            case EMLINK: "with NMEA 2000, only one receiver can be served"
            case ENODEV: "it is not served"
            case ELOOP: "it would receive its own output"
            case 0: "libmicrohttpd did not start"
            default:
                socketPath.map { IOError.reason(errno, writing: $0) }
                    ?? String(cString: strerror(errno))
            }
        return "\(what): \(reason)"
    }

    private var isListening: Bool { what.hasPrefix(Self.listen) }

    /// The path of the Unix socket that cannot be created; `nil` for any other failure.
    private var socketPath: String? {
        isListening && what.contains("/") ? String(what.dropFirst(Self.listen.count)) : nil
    }

    private var canReason: String {
        switch errno {
        case ENODEV: "there is no such interface; 'ip link' lists them"
        case EPROTOTYPE: "it is not a CAN interface; 'ip link show type can' lists those"
        case ENETDOWN:
            "it is down: sudo ip link set \(what.dropFirst(Self.can.count)) up type can bitrate 250000"
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            "this kernel has no CAN sockets (sudo modprobe can-raw), or the service may not use AF_CAN"
        case EPERM, EACCES: "this process is not permitted to use CAN sockets"
        default: String(cString: strerror(errno))
        }
    }
}
