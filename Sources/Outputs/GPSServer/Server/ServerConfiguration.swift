// SPDX-License-Identifier: MIT
package import GPSConfiguration
package import GPSIO
package import GPSReceivers

/// The services that a ``ReceiverServer`` offers, with their addresses and options.
public struct ServerConfiguration: Sendable {
    /// The addresses at which clients of gpsd's protocol connect. The default address is not used
    /// if systemd has opened sockets for this protocol; an address that is set is.
    public var gpsd: [ListenAddress] = [.loopback(port: GPSDSource.port)] {
        didSet { hasDefaultAddress = false }
    }
    /// Whether `gpsd` has not been set.
    package private(set) var hasDefaultAddress = true

    /// The destinations to which NMEA sentences are sent.
    public var sentences: [SentenceOutput] = []

    /// The addresses at which Signal K clients connect.
    public var signalK: [ListenAddress] = []

    /// The CAN interface, such as `can0`, to which the position is sent with NMEA 2000; `nil` for
    /// none.
    public var nmea2000: String?
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
    public var clocks = ClockConfiguration()

    /// The addresses of the HTTP server for the live page, `/metrics` and `/health`.
    public var http: [ListenAddress] = []

    /// Whether gpsd clients may change a receiver's settings (`?DEVICE`, `?CONFIGURE`) and send
    /// bytes to it.
    public var allowsControl = false
    /// The path of the Unix socket at which this user's programs add and remove receivers with
    /// gpsd's control protocol; `nil` for none.
    public var controlSocket: String?
    /// Returns the source for a device name that a program adds at `controlSocket`.
    package var controlSource: @Sendable (String) throws -> any DeviceSource = {
        try DeviceSources.at($0)
    }
    /// The folder for warm-start data and journals. A journal records a change of a receiver's
    /// settings, so that it can be undone after an interruption.
    package var journals = JournalFolder.default

    /// Whether the navigation data of u-blox receivers is stored, and sent back to a receiver that
    /// starts without a fix.
    public var hasWarmStart = false
    /// Returns the system's time; `nil` while its clock is not synchronised.
    package var synchronizedTime: @Sendable () -> SynchronizedTime? = { .now }

    /// The settings of the live page: its map, and the clients that may open it.
    public var page = PageConfiguration()

    /// The maximum number of simultaneous clients of gpsd's protocol, sentences and Signal K
    /// together, and the maximum number of connections to each HTTP socket.
    public var maximumClientCount = 8192

    /// The user to which the process switches after the server has started to listen; `nil` to keep
    /// the current user.
    public var user: String?

    /// The maximum time for an HTTP request to arrive completely.
    package var requestTimeout = Duration.seconds(10)

    /// Creates a configuration that serves gpsd's protocol on this machine's port 2947.
    public init() {}
}

extension ServerConfiguration {
    /// Checks what the server will need on this machine, without listening: a running server may
    /// use the same addresses.
    ///
    /// Throws a `ServerError` if the CAN interface cannot be used, or if the folder of a socket or
    /// of a pseudo terminal's link cannot be written.
    package func checkMachine() throws(ServerError) {
        if let nmea2000 { try NMEA2000Output.check(nmea2000, openCAN) }
        let links = sentences.compactMap { output in
            if case .terminal(let link) = output.destination { link } else { nil }
        }
        if let controlSocket { try Self.checkFolder(of: controlSocket, "listen on") }
        for link in links { try Self.checkFolder(of: link, "create the link") }
    }

    private static func checkFolder(of path: String, _ action: String) throws(ServerError) {
        let error = Folder.writeError(at: path)
        guard error == 0 else { throw ServerError(cannot: "\(action) \(path)", errno: error) }
    }
}
