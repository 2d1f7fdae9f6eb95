// SPDX-License-Identifier: MIT
public import GNSS

/// A place that bytes come from. It knows nothing of sentences.
public protocol DeviceSource: Sendable {
    /// What a user calls it: `/dev/ttyUSB0`, `-`, `track.nmea`.
    var name: String { get }

    /// Whether its bytes are live, recorded or simulated, as far as the source itself knows.
    var origin: DataOrigin { get }

    /// What kind of source it is. Default: by its origin.
    var kind: SourceKind { get }

    /// What can be done with it. Default: all that can be done with a recording, else nothing.
    var capabilities: SourceCapabilities { get }

    /// Which receiver it is; equal for two sources that would read the same one.
    ///
    /// Ask when reading starts: a link may point elsewhere later.
    var identity: SourceIdentity { get }

    /// How many times faster than recorded a recording is read, infinite for as fast as it can be.
    /// The reader keeps the pace. Default: 1.
    var replaySpeed: Double { get }

    /// The rate that was given for its serial line. Default: `nil`, the rate is found, or there is none.
    var baudRate: BaudRate? { get }

    /// The path of the tty that it leads to now. Default: `nil`, it is not known before it is opened, or
    /// there is none.
    var ttyPath: String? { get }

    /// The server that it connects to. Default: `nil`, there is none.
    var endpoint: NetworkEndpoint? { get }

    /// Opens the source.
    ///
    /// Never waits for a device to appear: throws `.notFound` or `.noReceiver` instead.
    func open() async throws(DeviceError) -> any DeviceConnection

    /// Opens the source for a reader that finds the rate of a serial line where that is not given, and finds out which of
    /// several devices is a receiver.
    ///
    /// Throws as `open()` does, and is the same unless a source has something to find out.
    func openToListen() async throws(DeviceError) -> any DeviceConnection

    /// Watches from now on for the device to come (back); call it before the first `open()`.
    ///
    /// Returns `nil` where what ends never comes back, as with a regular file.
    func availability() -> (any DeviceAvailability)?
}

extension DeviceSource {
    /// By its origin.
    public var kind: SourceKind {
        switch origin {
        case .live, .unknown: .serial
        case .replay: .file
        case .simulated: .simulated
        }
    }

    /// All that can be done with a recording, else nothing.
    public var capabilities: SourceCapabilities {
        origin == .replay ? [.replaySpeed, .pausing] : []
    }

    /// As fast as recorded.
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
