// SPDX-License-Identifier: MIT
public import GNSS
import Synchronization

/// Bytes in memory, for tests that need exact input without a tty or a file.
///
/// It behaves like a recording in a file: each session starts at the beginning and reads on demand.
public struct BytesSource: DeviceSource {
    /// The bytes to read.
    public let bytes: [UInt8]
    /// The replay speed as a factor of the recorded speed; infinity means as fast as possible.
    public let replaySpeed: Double

    /// Creates a source of bytes.
    public init(_ bytes: [UInt8], speed: Double = .infinity) {
        self.bytes = bytes
        replaySpeed = speed
    }

    /// The source's name, which is always `bytes`.
    public var name: String { "bytes" }
    /// The origin: a recording.
    public var origin: DataOrigin { .replay }
    /// A unique identity, because every session reads the bytes from the beginning.
    public var identity: SourceIdentity { .unique() }

    /// Opens the bytes at their beginning; never throws.
    public func open() async throws(DeviceError) -> any DeviceConnection { Connection(bytes) }

    private final class Connection: DeviceConnection {
        private static let chunk = 4096
        let name = "bytes"
        private let rest: Mutex<ArraySlice<UInt8>>

        init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

        func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
            guard !Task.isCancelled else { throw DeviceError(.cancelled, device: name) }
            return rest.withLock { rest in
                defer { rest = rest.dropFirst(Self.chunk) }
                return rest.isEmpty ? .end : .bytes(Array(rest.prefix(Self.chunk)))
            }
        }

        func close() { rest.withLock { $0 = [] } }
    }
}

extension DeviceSource where Self == BytesSource {
    /// Bytes in memory. They are read as fast as possible unless a speed is given.
    public static func bytes(_ bytes: [UInt8], speed: Double = .infinity) -> BytesSource {
        BytesSource(bytes, speed: speed)
    }

    /// Sentences in memory, one per line: `$GPGGA,…*hh`.
    public static func sentences(_ sentences: [String], speed: Double = .infinity) -> BytesSource {
        BytesSource(sentences.flatMap { Array(($0 + "\r\n").utf8) }, speed: speed)
    }
}
