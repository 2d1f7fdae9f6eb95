// SPDX-License-Identifier: MIT
package import GPSConfiguration
package import GPSIO
package import GPSReceivers
import Glibc

/// An error that occurred when starting a server.
package struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A failed action and its object. They determine which reason `description` gives for an
    /// `errno`.
    enum Action: Hashable, Sendable {
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
    package let errno: CInt

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
    package var what: String {
        switch action {
        case .listen(let address): "cannot listen on \(address)"
        case .useCAN(let name): "cannot use the CAN interface \(name)"
        case .useSharedMemory(let unit): "cannot use unit \(unit) of NTP's shared memory"
        case .serve: "cannot open the receivers and serve clients"
        case .other(let action): "cannot \(action)"
        }
    }

    /// The failed action, the reason and, where possible, what to do about it.
    package var description: String { "\(what): \(reason)" }

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

/// The services that a ``ReceiverServer`` offers, with their addresses and options.
package struct ServerConfiguration: Sendable {
    /// The addresses at which clients of gpsd's protocol connect. The default address is not used
    /// if systemd has opened sockets for this protocol; an address that is set is.
    package var gpsd: [ListenAddress] = [.loopback(port: GPSDSource.port)] {
        didSet { hasDefaultAddress = false }
    }
    /// Whether `gpsd` has not been set.
    package private(set) var hasDefaultAddress = true

    /// The release of gpsd that the server states.
    package var gpsdRelease = GPSDRelease.usual

    /// The destinations to which NMEA sentences are sent.
    package var sentences: [SentenceOutput] = []

    /// The addresses at which Signal K clients connect.
    package var signalK: [ListenAddress] = []

    /// The CAN interface, such as `can0`, to which the position is sent with NMEA 2000; `nil` for
    /// none.
    package var nmea2000: String?
    /// Opens the CAN interface with the given name.
    package var openCAN: @Sendable (String) throws(IOError) -> Descriptor = {
        interface throws(IOError) in try NMEA2000Output.open(interface)
    }
    /// Returns a descriptor that becomes readable when network interfaces change; `nil` if there is
    /// none.
    package var watchInterfaces: @Sendable () -> Descriptor? = {
        CANSocket.interfaceChanges(poller: .clients)
    }

    /// The clock services, such as chrony, to which the receivers' time is sent.
    package var clocks = ClockConfiguration()

    /// The addresses of the HTTP server for the live page, `/metrics` and `/health`.
    package var http: [ListenAddress] = []

    /// Whether gpsd clients may change a receiver's settings (`?DEVICE`, `?CONFIGURE`) and send
    /// bytes to it.
    package var allowsControl = false
    /// The path of the Unix socket at which this user's programs add and remove receivers with
    /// gpsd's control protocol; `nil` for none.
    package var controlSocket: String?
    /// Returns the source for a device name that a program adds at `controlSocket`.
    package var controlSource: @Sendable (String) throws -> any DeviceSource = {
        try DeviceSources.at($0)
    }
    /// Called with all receivers after a program has added or removed one at `controlSocket`.
    package var controlChange: @Sendable ([any DeviceSource]) -> Void = { _ in }
    /// The folder for warm-start data and journals. A journal records a change of a receiver's
    /// settings, so that it can be undone after an interruption.
    package var journals = JournalFolder.default

    /// Whether the navigation data of u-blox receivers is stored, and sent back to a receiver that
    /// starts without a fix.
    package var hasWarmStart = false
    /// The ephemerides for warm starts that do not come from receivers; `nil` if there are none.
    package var ephemerides: OtherEphemerides?
    /// Returns the system's time; `nil` while its clock is not synchronised.
    package var synchronizedTime: @Sendable () -> SynchronizedTime? = { .now }

    /// The settings of the live page: its map, and the clients that may open it.
    package var page = PageConfiguration()

    /// The maximum number of simultaneous clients of gpsd's protocol, sentences and Signal K
    /// together, and the maximum number of connections to each HTTP socket.
    package var maximumClientCount = 8192

    /// The user to which the process switches after the server has started to listen; `nil` to keep
    /// the current user.
    package var user: String?

    /// The maximum time for an HTTP request to arrive completely.
    package var requestTimeout = Duration.seconds(10)

    /// Creates a configuration that serves gpsd's protocol on this machine's port 2947.
    package init() {}
}

extension ServerConfiguration {
    /// Checks what the server will need on this machine, without listening: a running server may
    /// use the same addresses.
    ///
    /// Attempts checks that throw a `ServerError` if libmicrohttpd is needed but not installed, if
    /// the CAN interface cannot be used, or if a socket or a pseudo terminal's link cannot be
    /// created; a `TileArchive.Failure` if the map's tiles cannot be read; and a `DeviceError` if
    /// there is no PPS device or a host is unknown. Blocks until name servers answer.
    package func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        if !http.isEmpty { attempt { try HTTPServer.load() } }
        if let nmea2000 { attempt { try NMEA2000Output.check(nmea2000, openCAN) } }
        if let archive = page.tileArchive { attempt { _ = try TileArchive(path: archive) } }
        clocks.checkMachine(attempt)
        if let controlSocket { attempt { try ListenAddress.unix(controlSocket).check() } }
        for address in gpsd + signalK + http { attempt { try address.check() } }
        for output in sentences {
            attempt {
                switch output.destination {
                case .clients(let address): try address.check()
                case .datagrams(let host, let port):
                    try DatagramSender.check(host: host, port: port)
                case .terminal(let link):
                    let error = Folder.writeError(at: link)
                    guard error == 0 else {
                        throw ServerError(cannot: "create the link \(link)", errno: error)
                    }
                }
            }
        }
    }
}
