// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A connection that reads a regular file by jobs of ``BackgroundExecutor``: a disk or a network may be slow, and the
/// polling thread waits for neither.
///
/// A job reads several chunks, so that changing threads costs a fast replay next to nothing.
package final class FileConnection: DeviceConnection {
    private static let chunk = 65_536
    /// How many bytes a job reads.
    private static let block = 4 * chunk

    private struct State {
        /// The file until it is closed. The number is free again when no job reads it any more.
        var file: Descriptor?
        /// What has been read, and is returned by the next reads.
        var rest: ArraySlice<UInt8> = []
        var isAtEnd = false

        mutating func close() {
            (file, rest) = (nil, [])
        }
    }

    package let name: String
    private let state: Mutex<State>

    /// Takes over an open file; reads it from its present position.
    package init(_ file: Descriptor, name: String) {
        self.name = name
        state = Mutex(State(file: file))
    }

    /// The next bytes, whatever the deadline: a file has them already.
    ///
    /// Throws `.ioFailed` after closing; `.cancelled` when the task was cancelled, which closes, too, or when the
    /// connection has been closed. While a disk does not answer, the read waits for it even then.
    package func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        // A fast replay leaves other tasks their turn.
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

    /// A chunk of what has been read; `nil` where nothing is left.
    private func next() -> [UInt8]? {
        state.withLock { state in
            guard !state.rest.isEmpty else { return nil }
            defer { state.rest = state.rest.dropFirst(Self.chunk) }
            return Array(state.rest.prefix(Self.chunk))
        }
    }

    /// Reads a block, which may block; no bytes are the end.
    ///
    /// Not by `use`, in which closing would wait: a file is closed by its last reference, and this has one.
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
