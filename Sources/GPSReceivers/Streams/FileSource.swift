// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc

/// A recording in a regular file, read on demand at the reader's pace.
public struct FileSource: DeviceSource {
    /// The path as given.
    public let path: String
    package var poller = Poller.shared
    /// Unique: every session reads the file from the beginning.
    public var identity: SourceIdentity { .unique() }

    /// The speed as a factor of the recorded one; infinity means as fast as possible.
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
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, or `.notADevice` if it is not a
    /// regular file.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        FileConnection(
            try await Node(path).openForReading(as: .regularFile, poller: poller), name: path)
    }

    /// `nil`: a file is read once, to its end.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension DeviceSource where Self == FileSource {
    /// A recording in a regular file, read `speed` times faster than it was recorded.
    public static func file(_ path: String, speed: Double = 1) -> FileSource {
        FileSource(path, speed: speed)
    }
}
