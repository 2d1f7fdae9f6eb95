// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO

/// A named pipe, read until its last writer closes.
public struct PipeSource: DeviceSource {
    /// The path as given.
    public let path: String
    /// Whether it is known that a receiver writes into it.
    public var isLive = false
    package var poller = Poller.shared

    /// Names a pipe; it is opened by `open()`.
    public init(_ path: String) {
        self.path = path
    }

    /// The path as given.
    public var name: String { path }
    /// Unknown until there is a position whose time is compared with the clock; live if that is known.
    public var origin: DataOrigin { isLive ? .live : .unknown }
    /// The pipe without links: its bytes can be read only once.
    public var identity: SourceIdentity { SourceIdentity(path: path) }

    /// Opens the pipe; a writer may come later.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`; `.notADevice` if it is no pipe.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        DescriptorConnection(
            try await Node(path).openForReading(as: .pipe, poller: poller), name: path)
    }

    /// Reading may pause: what has been written waits.
    public var capabilities: SourceCapabilities { .pausing }

    /// `nil`: the last writer's end is the end.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension DeviceSource where Self == PipeSource {
    /// A named pipe.
    public static func pipe(_ path: String) -> PipeSource { PipeSource(path) }
}
