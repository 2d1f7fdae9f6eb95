// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc

/// A recording in a regular file, read on demand; the reader sets the pace.
public struct FileSource: DeviceSource {
    /// The path as given.
    public let path: String
    package var poller = Poller.shared
    /// Never the same twice: every session reads the file from its beginning.
    public var identity: SourceIdentity { .unique() }

    /// How many times faster than recorded it is read; infinite is as fast as it can be.
    public let replaySpeed: Double

    /// Creates a source; `open()` opens the file.
    public init(_ path: String, speed: Double = 1) {
        self.path = path
        replaySpeed = speed
    }

    /// The path as given.
    public var name: String { path }
    /// A recording.
    public var origin: DataOrigin { .replay }

    /// Opens the file from its beginning.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`; `.notADevice` if it is no regular file.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        FileConnection(
            try await Node(path).openForReading(as: .regularFile, poller: poller), name: path)
    }

    /// `nil`: what a file has is there already.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension DeviceSource where Self == FileSource {
    /// A recording in a regular file, read `speed` times faster than it was recorded.
    public static func file(_ path: String, speed: Double = 1) -> FileSource {
        FileSource(path, speed: speed)
    }
}
