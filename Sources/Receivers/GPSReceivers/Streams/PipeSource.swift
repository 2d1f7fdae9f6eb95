// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO

/// A named pipe. The source ends when the last writer closes the pipe.
public struct PipeSource: DeviceSource {
    /// The path as given.
    public let path: String
    /// Whether the pipe's data is known to come from a live receiver.
    public var isLive = false
    package var poller = Poller.shared

    /// Creates a source; `open()` opens the pipe.
    public init(_ path: String) {
        self.path = path
    }

    /// The path as given.
    public var name: String { path }
    /// The origin: live if `isLive` is `true`, otherwise unknown until a position's time is
    /// compared with the clock.
    public var origin: DataOrigin { isLive ? .live : .unknown }
    /// The identity: equal for all paths and links to the same pipe, because its bytes can be read
    /// only once.
    public var identity: SourceIdentity { SourceIdentity(path: path) }

    /// Opens the pipe without waiting for a writer.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, or `.notADevice` if it is not a
    /// pipe.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        DescriptorConnection(
            try await Node(path).openForReading(as: .pipe, poller: poller), name: path)
    }

    /// The capabilities: reading can pause, because the pipe keeps the unread bytes.
    public var capabilities: SourceCapabilities { .pausing }
}

extension DeviceSource where Self == PipeSource {
    /// A named pipe.
    public static func pipe(_ path: String) -> PipeSource { PipeSource(path) }
}
