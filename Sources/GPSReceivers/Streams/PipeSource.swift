// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO

/// A named pipe, read until its last writer closes.
public struct PipeSource: DeviceSource {
    /// The path as given.
    public let path: String
    /// Whether a receiver is known to write to the pipe.
    public var isLive = false
    package var poller = Poller.shared

    /// Creates a source; `open()` opens the pipe.
    public init(_ path: String) {
        self.path = path
    }

    /// The path as given.
    public var name: String { path }
    /// Live if `isLive`; else unknown until a position's time is compared with the clock.
    public var origin: DataOrigin { isLive ? .live : .unknown }
    /// The pipe without links: its bytes can be read only once.
    public var identity: SourceIdentity { SourceIdentity(path: path) }

    /// Opens the pipe; a writer may come later.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, or `.notADevice` if it is not a
    /// pipe.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        DescriptorConnection(
            try await Node(path).openForReading(as: .pipe, poller: poller), name: path)
    }

    /// Reading can pause: bytes wait in the pipe.
    public var capabilities: SourceCapabilities { .pausing }

    /// `nil`: the source ends when the last writer closes the pipe.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension DeviceSource where Self == PipeSource {
    /// A named pipe.
    public static func pipe(_ path: String) -> PipeSource { PipeSource(path) }
}
