// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Synchronization

/// Bytes that are produced on another thread than the one that reads receivers, and then sent.
final class LateStream: HTTPStream {
    private struct State {
        /// The bytes to send; `nil` until they are ready.
        var bytes: ArraySlice<UInt8>?
        var resume: (@Sendable () -> Void)?
        var work: Task<Void, Never>?
    }

    private let place: StreamLimit.Place
    private let make: @Sendable () -> [UInt8]
    private let state = Mutex(State())

    /// Creates a stream of the bytes that `make` returns. `make` is called once, and may block briefly.
    init(_ place: StreamLimit.Place, _ make: @escaping @Sendable () -> [UInt8]) {
        self.place = place
        self.make = make
    }

    func begin(resume: @escaping @Sendable () -> Void) {
        let (place, make) = (place, make)
        let work = Task.detached(executorPreference: BackgroundExecutor.shared) { [weak self] in
            // Also of a client that has left, until the work is over.
            let bytes = withExtendedLifetime(place) { Task.isCancelled ? [] : make() }
            self?.finish(bytes)
        }
        state.withLock { ($0.resume, $0.work) = (resume, work) }
    }

    private func finish(_ bytes: [UInt8]) {
        let resume = state.withLock { state in
            state.bytes = bytes[...]
            return state.resume
        }
        resume?()
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        state.withLock { state in
            guard let bytes = state.bytes else { return 0 }
            guard !bytes.isEmpty else { return nil }
            let count = min(room.count, bytes.count)
            room.copyBytes(from: bytes.prefix(count))
            state.bytes = bytes.dropFirst(count)
            return count
        }
    }

    func end() {
        let work = state.withLock { state in
            defer { state = State() }
            return state.work
        }
        work?.cancel()
    }
}
