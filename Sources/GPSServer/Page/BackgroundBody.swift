// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Synchronization

/// A response body that is produced completely on a background thread, and then sent.
final class BackgroundBody: HTTPStream {
    private struct State {
        /// The bytes to send; `nil` until they have been produced.
        var bytes: ArraySlice<UInt8>?
        var resume: (@Sendable () -> Void)?
        var work: Task<Void, Never>?
    }

    private let place: StreamLimit.Place
    private let make: @Sendable () -> [UInt8]
    private let state = Mutex(State())

    /// Creates a stream that sends the result of `make`, which is called once and may block.
    /// `place` is released when `make` has returned.
    init(_ place: StreamLimit.Place, _ make: @escaping @Sendable () -> [UInt8]) {
        self.place = place
        self.make = make
    }

    func begin(resume: @escaping @Sendable () -> Void) {
        let (place, make) = (place, make)
        let work = Task.detached(executorPreference: BackgroundExecutor.shared) { [weak self] in
            // The permit is held until the work is done, even if the client has disconnected.
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
