// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO

/// A recording in a regular file. It is read on demand, at the reader's pace.
public struct FileSource: DeviceSource {
    /// The path as given.
    public let path: String
    package var poller = Poller.shared
    /// The identity for consumers that share one replay of the file; `nil` if each session reads it
    /// from the beginning.
    package var sharedIdentity: SourceIdentity?
    /// A unique identity, because every session reads the file from the beginning. It is constant
    /// only for the file that is configured for programs that import `CoreLocation`.
    public var identity: SourceIdentity { sharedIdentity ?? .unique() }

    /// The replay speed as a factor of the recorded speed; infinity means as fast as possible.
    public let replaySpeed: Double

    /// Creates a source; `open()` opens the file.
    public init(_ path: String, speed: Double = 1) {
        self.path = path
        replaySpeed = speed
    }

    /// The path as given.
    public var name: String { path }
    /// The origin: a recording.
    public var origin: DataOrigin { .replay }

    /// Opens the file at its beginning.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, or `.notADevice` if it is not a
    /// regular file.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        FileConnection(
            try await Node(path).openForReading(as: .regularFile, poller: poller), name: path)
    }
}

extension DeviceSource where Self == FileSource {
    /// A recording in a regular file. It is replayed `speed` times as fast as it was recorded.
    public static func file(_ path: String, speed: Double = 1) -> FileSource {
        FileSource(path, speed: speed)
    }
}
