// SPDX-License-Identifier: MIT
public import GNSS

/// A source of a receiver's bytes, such as a tty, a file or a server. It does not parse the bytes.
public protocol DeviceSource: Sendable {
    /// The name by which the user knows the source: `/dev/ttyUSB0`, `-`, `track.nmea`.
    var name: String { get }

    /// Whether the data is live, recorded or simulated. Default: `.unknown`, until the first
    /// position shows whether the data is simulated.
    var origin: DataOrigin { get }

    /// The kind of source. Default: derived from the origin.
    var kind: SourceKind { get }

    /// The operations that the source supports. Default: those of a recording if the origin is a
    /// recording, otherwise none.
    var capabilities: SourceCapabilities { get }

    /// Identifies the receiver. Two sources have equal identities if they would read the same
    /// receiver.
    ///
    /// Get it when reading starts, because a symbolic link may later point to a different receiver.
    /// Default: equal for sources with the same name.
    var identity: SourceIdentity { get }

    /// The replay speed of a recording as a factor of the recorded speed; infinity means as fast as
    /// possible. The session applies it. Default: 1.
    var replaySpeed: Double { get }

    /// The fixed baud rate of the serial line. Default: `nil`, which means that the rate is
    /// detected or that the source has none.
    var baudRate: BaudRate? { get }

    /// The path of the source's current tty. Default: `nil`, which means that the tty is not known
    /// before opening or that there is none.
    var ttyPath: String? { get }

    /// The server to which the source connects. Default: `nil`.
    var endpoint: NetworkEndpoint? { get }

    /// Opens the source.
    ///
    /// Does not wait for a device to appear: throws `.notFound` or `.noReceiver` instead. Throws
    /// `.ended` if the device will not return.
    func open() async throws(DeviceError) -> any DeviceConnection

    /// Opens the source for a reader that detects the baud rate, unless the source has a fixed one.
    /// A source that may refer to several devices selects the receiver among them.
    ///
    /// Throws the errors of `open()`. Default: the same as `open()`.
    func openToListen() async throws(DeviceError) -> any DeviceConnection

    /// Starts to watch for the source's device. Call it before the first `open()`.
    ///
    /// Returns `nil` for a source that cannot be reopened once it has ended, such as a regular
    /// file. Default: `nil`.
    func availability() -> (any DeviceAvailability)?
}

extension DeviceSource {
    /// The default: unknown until the first position shows whether the data is simulated.
    public var origin: DataOrigin { .unknown }

    /// The kind derived from the origin.
    public var kind: SourceKind {
        switch origin {
        case .live, .unknown: .serial
        case .replay: .file
        case .simulated: .simulated
        }
    }

    /// The operations of a recording if the origin is a recording, otherwise none.
    public var capabilities: SourceCapabilities {
        origin == .replay ? [.replaySpeed, .pausing] : []
    }

    /// The default: equal for sources with the same name.
    public var identity: SourceIdentity { SourceIdentity(name) }

    /// The default replay speed: 1, as fast as recorded.
    public var replaySpeed: Double { 1 }

    /// The default: no fixed baud rate.
    public var baudRate: BaudRate? { nil }

    /// The default: no known tty.
    public var ttyPath: String? { nil }

    /// The default: no server.
    public var endpoint: NetworkEndpoint? { nil }

    /// Whether the name is that of the device that is opened. Other names select a device, whose
    /// path is known only when it is open.
    package var namesDevice: Bool {
        !(self is FirstReceiverSource || self is USBSerialNumberSource || self is FleetSource)
    }

    /// Calls `open()`.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await open()
    }

    /// The default: the source cannot be reopened.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension Sequence<any DeviceSource> {
    /// The names of the sources. Of several with the same name, such as `simulated`, each but the
    /// first gets a number: `simulated 2`.
    package var distinctNames: [String] {
        var names: Set<String> = []
        return map { source in
            var name = source.name
            var number = 1
            while !names.insert(name).inserted {
                number += 1
                name = "\(source.name) \(number)"
            }
            return name
        }
    }
}
