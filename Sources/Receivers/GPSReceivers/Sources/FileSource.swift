// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A connection that reads a regular file in the background, because the polling thread must not
/// wait for a slow disk or network.
///
/// Each background job reads several chunks, so that a fast replay spends little time on thread
/// switches.
package final class FileConnection: DeviceConnection {
    private static let chunk = 65_536
    /// The maximum number of bytes that one background job reads.
    private static let block = 4 * chunk

    private struct State {
        /// The file; `nil` after the connection has been closed. The descriptor is closed when the
        /// last background job that reads it has ended.
        var file: Descriptor?
        /// The bytes that have been read but not yet returned.
        var rest: ArraySlice<UInt8> = []
        var isAtEnd = false

        mutating func close() {
            (file, rest) = (nil, [])
        }
    }

    package let name: String
    private let state: Mutex<State>

    /// Creates a connection that owns an open file and reads it from its current position.
    package init(_ file: Descriptor, name: String) {
        self.name = name
        state = Mutex(State(file: file))
    }

    /// Returns the next bytes. The deadline has no effect, because a file never has to wait for
    /// bytes.
    ///
    /// Throws `.ioFailed` if reading fails. Throws `.cancelled` if the task is cancelled or the
    /// connection has been closed. Both errors also close the connection. If the disk does not
    /// respond, the errors are delayed too.
    package func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        // Let other tasks run during a fast replay.
        await Task.yield()
        if state.withLock({ $0.isAtEnd }) { return .end }
        if let chunk = next() { return .bytes(chunk) }
        let file = state.withLock { $0.file }
        guard !Task.isCancelled, let file else { throw failed(.cancelled) }
        let (bytes, error) = await BackgroundExecutor.run { Self.read(file) }
        let isClosed = state.withLock { state in
            guard state.file != nil else { return true }
            state.rest = bytes[...]
            return false
        }
        guard !Task.isCancelled, !isClosed else { throw failed(.cancelled) }
        guard error == 0 else { throw failed(.ioFailed, error) }
        if let chunk = next() { return .bytes(chunk) }
        state.withLock { state in
            state.isAtEnd = true
            state.close()
        }
        return .end
    }

    package func close() {
        state.withLock { $0.close() }
    }

    /// Returns the next chunk of the bytes already read; `nil` if there are none.
    private func next() -> [UInt8]? {
        state.withLock { state in
            guard !state.rest.isEmpty else { return nil }
            defer { state.rest = state.rest.dropFirst(Self.chunk) }
            return Array(state.rest.prefix(Self.chunk))
        }
    }

    /// Reads a block, which may block the thread. Returns no bytes at the end of the file.
    ///
    /// It does not call `Descriptor.use`, because `close()` would then wait for the read. The
    /// reference held here keeps the file open until the read ends.
    private static func read(_ file: Descriptor) -> (bytes: [UInt8], errno: CInt) {
        var error: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: block) { room, count in
            var result: Int
            repeat {
                result = Glibc.read(file.number, room.baseAddress, room.count)
            } while result < 0 && errno == EINTR
            if result < 0 { error = errno }
            count = max(0, result)
        }
        return withExtendedLifetime(file) { (bytes, error) }
    }

    private func failed(_ code: DeviceError.Code, _ errno: CInt? = nil) -> DeviceError {
        close()
        return DeviceError(of: code, device: name, errno: errno)
    }
}

/// A recording in a regular file. It is read on demand, at the reader's pace.
public struct FileSource: DeviceSource {
    package let path: String
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
    package init(_ path: String, speed: Double = 1) {
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

/// Bytes in memory, for tests that need exact input without a tty or a file.
///
/// It behaves like a recording in a file: each session starts at the beginning and reads on demand.
public struct BytesSource: DeviceSource {
    /// The bytes to read.
    package let bytes: [UInt8]
    /// The replay speed as a factor of the recorded speed; infinity means as fast as possible.
    public let replaySpeed: Double

    package init(_ bytes: [UInt8], speed: Double = .infinity) {
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

extension Node {
    /// Opens a node for reading. It must be of the kind `wanted`. A pipe is opened without waiting
    /// for a writer. The work runs in the background, because a disk may be slow.
    func openForReading(
        as wanted: Kind, poller: Poller = .shared
    ) async throws(DeviceError) -> Descriptor {
        try await BackgroundExecutor.run { () throws(DeviceError) in
            try openNow(as: wanted, poller)
        }
    }

    private func openNow(as wanted: Kind, _ poller: Poller) throws(DeviceError) -> Descriptor {
        let found = try DeviceError.converted(kind)
        guard found == wanted else {
            throw DeviceError(found == .folder ? .isDirectory : .notADevice, device: path)
        }
        let fd = open(FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard fd >= 0 else { throw DeviceError.opening(path, errno: errno) }
        return Descriptor(fd, poller: poller)
    }
}

/// Writes files in the state folder.
package enum StateFile {
    /// Creates missing folders and replaces the file atomically.
    ///
    /// - Throws: `DeviceError` with `.stateNotStored`.
    package static func write(_ text: String, to path: String) throws(DeviceError) {
        if let end = path.lastIndex(of: "/") { StateFolder.create(String(path[..<end])) }
        do throws(DraftFile.Failure) {
            try DraftFile.replace(path, with: Array(text.utf8), mode: 0o600)
        } catch {
            throw DeviceError(of: .stateNotStored, device: path, errno: error.errno)
        }
    }
}
