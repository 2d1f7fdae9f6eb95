// SPDX-License-Identifier: MIT
package import GNSS
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
        return DeviceError(code, device: name, errno: errno)
    }
}
