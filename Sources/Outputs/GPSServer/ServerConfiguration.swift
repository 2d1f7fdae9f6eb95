// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc

/// An error that occurred when starting a server.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A failed action and its object. They determine which reason `description` gives for an
    /// `errno`.
    enum Action: Hashable, Sendable {
        /// Listening on an address.
        case listen(ListenAddress)
        /// Using a CAN interface.
        case useCAN(String)
        /// Using a unit of NTP's shared memory.
        case useSharedMemory(unit: Int)
        /// Serving with a limit of open files that is too low.
        case serve(files: Int, needed: Int)
        /// Any other action, such as `add /dev/ttyACM0`.
        case other(String)
    }

    private let action: Action
    /// The `errno` of the failure. Some values stand for failures of the server itself: `EALREADY`
    /// means that a receiver is already served.
    public let errno: CInt

    init(_ action: Action, errno: CInt) {
        self.action = action
        self.errno = errno
    }

    /// Creates the error for an action that is not one of the specific `Action`s. The text is a
    /// verb and its object, such as `add /dev/ttyACM0`.
    init(cannot action: String, errno: CInt) {
        self.init(.other(action), errno: errno)
    }

    /// The failed action, such as `cannot listen on localhost:2947`.
    public var what: String {
        switch action {
        case .listen(let address): "cannot listen on \(address)"
        case .useCAN(let name): "cannot use the CAN interface \(name)"
        case .useSharedMemory(let unit): "cannot use unit \(unit) of NTP's shared memory"
        case .serve: "cannot open the receivers and serve clients"
        case .other(let action): "cannot \(action)"
        }
    }

    /// The failed action, the reason and, where possible, what to do about it.
    public var description: String { "\(what): \(reason)" }

    private var reason: String {
        switch action {
        case .listen(.unix(let path)): reason(path: path)
        case .listen(let address) where errno == EADDRINUSE && address.port == GPSDSource.port:
            "another program is already listening on this address (gpsd, or gpsbridge.socket of "
                + "systemd?): stop it, or give another port (--listen 2948)"
        case .listen: IOError.reasonOfListening(errno)
        case .useCAN(let interface): reason(interface: interface)
        case .useSharedMemory(let unit): sharedMemoryReason(unit)
        case .serve(let files, let needed):
            "this process may open only \(files) files, and needs \(needed): raise that limit "
                + "(ulimit -n, or LimitNOFILE= of a service)"
        case .other: otherReason
        }
    }

    private func reason(path: String) -> String {
        switch errno {
        case EADDRINUSE:
            "another program is already listening on this socket: stop it, or give another path"
        case EEXIST: "the file there is not a socket: give another path, or remove the file"
        default: IOError.reason(errno, writing: path)
        }
    }

    private func reason(interface: String) -> String {
        switch errno {
        case ENODEV: "there is no such interface; 'ip link' lists all interfaces"
        case EPROTOTYPE: "it is not a CAN interface; 'ip link show type can' lists CAN interfaces"
        case ENETDOWN:
            "it is down: run `sudo ip link set \(interface) up type can bitrate 250000`"
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            "this kernel has no CAN sockets (run `sudo modprobe can-raw`), or the service is not "
                + "permitted to use them (add AF_CAN to RestrictAddressFamilies=)"
        case EPERM, EACCES:
            "this process is not permitted to use CAN sockets: start it as another user or as root"
        default: String(cString: strerror(errno))
        }
    }

    private func sharedMemoryReason(_ unit: Int) -> String {
        switch errno {
        case EACCES:
            "it belongs to another user (units 0 and 1 belong to root): give a unit of 2 or above, "
                + "or start as root"
        case EBUSY: "this unit is used for the pulses of unit \(unit - 1): give another unit"
        case EDOM:
            "give a unit from \(SharedMemoryClock.units.lowerBound) to \(SharedMemoryClock.units.upperBound)"
        default: String(cString: strerror(errno))
        }
    }

    private var otherReason: String {
        switch errno {
        case ELIBACC: "it cannot be loaded (Debian: apt-get install libmicrohttpd12)"
        case EALREADY: "it is already served"
        case EMLINK: "with NMEA 2000, only one receiver can be served: remove the other one first"
        case ENODEV: "it is not served"
        case ELOOP: "this server would receive its own output"
        case 0: "libmicrohttpd did not start"
        default: String(cString: strerror(errno))
        }
    }
}
