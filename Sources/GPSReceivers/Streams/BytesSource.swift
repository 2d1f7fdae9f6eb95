// SPDX-License-Identifier: MIT
public import GNSS
import Synchronization

/// Bytes from memory, as of a program's tests: exact input without a tty or a file.
///
/// Like a file it is a recording, read from its beginning by each who opens it, and waits to be read.
public struct BytesSource: DeviceSource {
    /// The bytes.
    public let bytes: [UInt8]
    /// How many times faster than recorded they are read.
    public let replaySpeed: Double

    /// Creates a source of bytes.
    public init(_ bytes: [UInt8], speed: Double = .infinity) {
        self.bytes = bytes
        replaySpeed = speed
    }

    /// `bytes`.
    public var name: String { "bytes" }
    /// Recorded.
    public var origin: DataOrigin { .replay }
    /// Never the same twice: every session reads the bytes from their beginning.
    public var identity: SourceIdentity { .unique() }

    /// Starts at the beginning; never throws.
    public func open() async throws(DeviceError) -> any DeviceConnection { Connection(bytes) }

    /// `nil`: the end is the end.
    public func availability() -> (any DeviceAvailability)? { nil }

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
    /// Bytes from memory, read as fast as they can be unless a speed is given.
    public static func bytes(_ bytes: [UInt8], speed: Double = .infinity) -> BytesSource {
        BytesSource(bytes, speed: speed)
    }

    /// Sentences from memory, each a line: `$GPGGA,…*hh`.
    public static func sentences(_ sentences: [String], speed: Double = .infinity) -> BytesSource {
        BytesSource(sentences.flatMap { Array(($0 + "\r\n").utf8) }, speed: speed)
    }
}
