// SPDX-License-Identifier: MIT
public import GNSS

/// A source of bytes, such as a tty, a file or a server. It does not parse them.
public protocol DeviceSource: Sendable {
    /// The name by which the user knows it: `/dev/ttyUSB0`, `-`, `track.nmea`.
    var name: String { get }

    /// Whether the bytes are live, recorded or simulated, as far as the source itself knows.
    var origin: DataOrigin { get }

    /// The kind of source. Default: determined by the origin.
    var kind: SourceKind { get }

    /// The operations that the source supports. Default: all those of a recording for a recording,
    /// else none.
    var capabilities: SourceCapabilities { get }

    /// Identifies the receiver: equal for two sources that would read the same one.
    ///
    /// Read it when reading starts: a link may point elsewhere later.
    var identity: SourceIdentity { get }

    /// The speed of a recording, as a factor; infinity means as fast as possible. The reader
    /// applies it. Default: 1.
    var replaySpeed: Double { get }

    /// The rate given for the serial line. Default: `nil`, the rate is detected or there is none.
    var baudRate: BaudRate? { get }

    /// The path of the source's current tty. Default: `nil`, it is unknown before opening, or there
    /// is none.
    var ttyPath: String? { get }

    /// The server to which the source connects. Default: `nil`.
    var endpoint: NetworkEndpoint? { get }

    /// Opens the source.
    ///
    /// Does not wait for a device to appear: throws `.notFound` or `.noReceiver` instead.
    func open() async throws(DeviceError) -> any DeviceConnection

    /// Opens the source for a reader that detects the rate of a serial line, unless it is given,
    /// and which of several devices is a receiver.
    ///
    /// Throws the errors of `open()`. Default: the same as `open()`.
    func openToListen() async throws(DeviceError) -> any DeviceConnection

    /// Starts to watch for the device's appearance; call it before the first `open()`.
    ///
    /// Returns `nil` if a source that has ended never comes back, such as a regular file.
    func availability() -> (any DeviceAvailability)?
}

extension DeviceSource {
    /// The kind determined by the origin.
    public var kind: SourceKind {
        switch origin {
        case .live, .unknown: .serial
        case .replay: .file
        case .simulated: .simulated
        }
    }

    /// All operations of a recording for a recording, else none.
    public var capabilities: SourceCapabilities {
        origin == .replay ? [.replaySpeed, .pausing] : []
    }

    /// 1: as fast as recorded.
    public var replaySpeed: Double { 1 }

    /// `nil`.
    public var baudRate: BaudRate? { nil }

    /// `nil`.
    public var ttyPath: String? { nil }

    /// `nil`.
    public var endpoint: NetworkEndpoint? { nil }

    /// The same as `open()`.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await open()
    }
}
