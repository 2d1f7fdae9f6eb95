// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
package import GPSReceivers
package import RTCM
import Synchronization

/// Writes corrections to the line of one receiver, between the requests of other consumers.
package final class CorrectionWriter: Sendable {
    /// The messages that a line carries in this time may wait. Older corrections are worse than
    /// none.
    private static let longestWait = 2
    /// The maximum number of queued bytes for a line without a baud rate.
    private static let limit = 16_384
    /// The maximum number of bytes of one write. A dialogue waits until it has ended.
    private static let longestWrite = 1024

    private static let overloadMemory = Duration.seconds(60)

    private struct State {
        var queue = CorrectionQueue(limit: limit)
        var writtenCount = 0
        var writtenByteCount = 0
        var firstWrite: MonotonicInstant?
        /// The baud rate of the last write; `nil` for a line without one.
        var rate: BaudRate?
        /// When the line last did not carry a message.
        var overload: MonotonicInstant?
        /// Whether messages wait because the line was not open, or its rate was not known.
        var waitsForLine = false
    }

    private let session: ReceiverSession
    private let wakeUp: WakeUp
    private let state = Mutex(State())

    /// Throws if the process has no free descriptors.
    package init(_ session: ReceiverSession) throws {
        self.session = session
        wakeUp = try WakeUp(poller: session.poller)
    }

    /// The number of messages and bytes that have been written, and of messages that the line could
    /// not carry.
    package var counts: (messages: Int, bytes: Int, dropped: Int) {
        state.withLock { ($0.writtenCount, $0.writtenByteCount, $0.queue.droppedCount) }
    }

    /// When the first message was written.
    var firstWrite: MonotonicInstant? { state.withLock { $0.firstWrite } }
    /// The baud rate of the line; `nil` if it has none, or nothing has been written.
    var lineRate: BaudRate? { state.withLock { $0.rate } }
    /// Whether the line has not carried a message in the last minute.
    var isOverloaded: Bool {
        state.withLock { state in
            state.overload.map { session.poller.now < $0 + Self.overloadMemory } ?? false
        }
    }

    /// Adds a message to the queue.
    package func add(_ message: CorrectionMessage) {
        state.withLock { state in
            let dropped = state.queue.droppedCount
            state.queue.add(message)
            if state.queue.droppedCount > dropped { state.overload = session.poller.now }
        }
        wakeUp.signal()
    }

    /// Tries again to write messages that wait for the line. Call it after an epoch, which shows that
    /// the line is open.
    func receivedEpoch() {
        if state.withLock({ $0.waitsForLine }) { wakeUp.signal() }
    }

    /// Writes the queued messages until the task is cancelled. Throws the error of a line that
    /// cannot be written to.
    package func run() async throws(DeviceError) {
        try await withTaskExecutorPreference(session.poller) { () async throws(DeviceError) in
            while !Task.isCancelled {
                let batch = state.withLock { $0.queue.batch(of: Self.longestWrite) }
                guard !batch.isEmpty else {
                    _ = await wakeUp.wait()
                    continue
                }
                try await write(batch)
            }
        }
    }

    private func write(_ batch: [CorrectionMessage]) async throws(DeviceError) {
        let poller = session.poller
        let end = poller.now + .seconds(Self.longestWait)
        var batch = batch
        while !Task.isCancelled, !batch.isEmpty {
            let bytes = batch.flatMap(\.bytes)
            let start = poller.now
            switch try await session.write(bytes, orSignal: wakeUp) {
            case .written(let rate):
                state.withLock { state in
                    state.writtenCount += batch.count
                    state.writtenByteCount += bytes.count
                    state.firstWrite = state.firstWrite ?? poller.now
                    state.rate = rate
                    // A byte has ten bits on the line.
                    state.queue.limit =
                        rate.map { $0.rawValue / 10 * Self.longestWait } ?? Self.limit
                }
                // A converter may take bytes faster than its line carries them.
                if let rate {
                    let seconds = Double(bytes.count * 10) / Double(max(1, rate.rawValue))
                    _ = await poller.sleep(until: start + .seconds(seconds))
                }
                return
            case .inUse: _ = await wakeUp.wait()
            case .notOpen:
                state.withLock { $0.waitsForLine = true }
                _ = await wakeUp.wait(until: poller.now < end ? end : nil)
                state.withLock { $0.waitsForLine = false }
            }
            guard end <= poller.now else { continue }
            batch.removeAll { $0.content != .assistance }
            state.withLock { $0.queue.removeOutdated() }
        }
    }
}
