// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// A queue that passes events from the threads of a client library to one reading thread.
///
/// The number of messages and their total size are limited. Changes of the connection are stored
/// separately and returned first, because the reader must subscribe after each new connection.
package final class EventQueue: Sendable {
    private struct State {
        /// The last change of the connection that was not read. A failure is never replaced,
        /// because it is final.
        var change: Result<LiveMessage, FleetError>?
        var messages = Queue<[UInt8]>()
        /// The total size of the messages in bytes.
        var size = 0
        var droppedCount = 0

        mutating func removeFirst() -> [UInt8]? {
            guard let message = messages.first else { return nil }
            messages.removeFirst()
            size -= message.count
            return message
        }

        /// Appends a message, and drops the oldest ones while their size or number exceeds its
        /// limit. A message that is larger than `sizeLimit` is itself dropped.
        mutating func append(_ message: [UInt8], sizeLimit: Int) {
            guard message.count <= sizeLimit else {
                droppedCount += 1
                return
            }
            messages.append(message)
            size += message.count
            while size > sizeLimit || messages.count > EventQueue.limit, removeFirst() != nil {
                droppedCount += 1
            }
        }

        mutating func take() -> Result<LiveMessage, FleetError>? {
            if let change {
                self.change = nil
                return change
            }
            return removeFirst().map { .success(.message($0)) }
        }
    }

    /// The maximum number of messages. If the reader is too slow, the oldest ones are dropped.
    private static let limit = 10_000
    private let sizeLimit: Int
    private let state = Mutex(State())
    /// Signalled for each event. A surplus signal only makes the reader check the queue again.
    private let arrival = DispatchSemaphore(value: 0)

    /// Creates an empty queue. `sizeLimit` is the maximum total size of its messages in bytes.
    package init(sizeLimit: Int = 64 << 20) { self.sizeLimit = sizeLimit }

    /// The number of messages that were dropped because the reader is too slow.
    package var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Appends an event.
    package func append(_ event: Result<LiveMessage, FleetError>) {
        state.withLock { state in
            switch event {
            case .success(.nothing): break
            case .success(.message(let bytes)):
                state.append(bytes, sizeLimit: sizeLimit)
            case .success, .failure:
                if case .failure = state.change { break }
                state.change = event
            }
        }
        arrival.signal()
    }

    /// Removes and returns the next event without waiting; `nil` if there is none.
    package func take() -> Result<LiveMessage, FleetError>? { state.withLock { $0.take() } }

    /// Removes and returns the next event, and waits for it if necessary. Returns `nil` if none
    /// arrived in time.
    package func next(wait: Duration) -> Result<LiveMessage, FleetError>? {
        let (seconds, attoseconds) = wait.components
        let end = DispatchTime.now() + (Double(seconds) + Double(attoseconds) / 1e18)
        repeat {
            guard let event = take() else { continue }
            // This consumes the event's signal if the event was taken without waiting.
            _ = arrival.wait(timeout: .now())
            return event
        } while arrival.wait(timeout: end) == .success
        return take()
    }
}
