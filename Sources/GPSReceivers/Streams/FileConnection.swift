// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A connection that reads a regular file in the background: the polling thread must not wait for a
/// slow disk or network.
///
/// A job reads several chunks, so that changing threads costs a fast replay little.
package final class FileConnection: DeviceConnection {
    private static let chunk = 65_536
    /// The number of bytes that a job reads.
    private static let block = 4 * chunk

    private struct State {
        /// The file; `nil` once closed. Its number is released when no job reads it any more.
        var file: Descriptor?
        /// The bytes read and not yet returned.
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

    /// Returns the next bytes; the deadline has no effect, since a file never waits for bytes.
    ///
    /// Throws `.ioFailed` after closing; `.cancelled` when the task is cancelled, which also
    /// closes, or when the connection has been closed. A disk that does not answer delays even
    /// these.
    package func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        // A fast replay lets other tasks run.
        await Task.yield()
        if state.withLock({ $0.isAtEnd }) { return .end }
        if let chunk = next() { return .bytes(chunk) }
        let file = state.withLock { $0.file }
        guard !Task.isCancelled, let file else { throw failed(.cancelled) }
        let (bytes, error) = await withTaskExecutorPreference(BackgroundExecutor.shared) {
            Self.read(file)
        }
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

    /// Returns the next chunk of the bytes read; `nil` if none are left.
    private func next() -> [UInt8]? {
        state.withLock { state in
            guard !state.rest.isEmpty else { return nil }
            defer { state.rest = state.rest.dropFirst(Self.chunk) }
            return Array(state.rest.prefix(Self.chunk))
        }
    }

    /// Reads a block, which may block the thread; returns no bytes at the end.
    ///
    /// It does not call `use`, since closing would wait for that: the last reference closes the
    /// file, and this function has one.
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
