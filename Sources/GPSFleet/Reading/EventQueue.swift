// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// A queue that passes events from an engine's threads to one reading thread.
///
/// The number of messages is limited. Changes of the connection are stored separately and returned
/// first, because the reader must subscribe after each new connection.
package final class EventQueue: Sendable {
    private struct State {
        /// The last change of the connection that was not read. A failure is never replaced,
        /// because it is final.
        var change: Result<LiveMessage, FleetError>?
        var messages = Queue<[UInt8]>()

        mutating func take() -> Result<LiveMessage, FleetError>? {
            if let change {
                self.change = nil
                return change
            }
            guard let message = messages.first else { return nil }
            messages.removeFirst()
            return .success(.message(message))
        }
    }

    /// The maximum number of messages. If the reader is too slow, the oldest ones are dropped.
    private static let limit = 10_000
    private let state = Mutex(State())
    /// Signalled for each event. A surplus signal only makes the reader check the queue again.
    private let arrival = DispatchSemaphore(value: 0)

    /// Creates an empty queue.
    package init() {}

    /// Appends an event.
    package func append(_ event: Result<LiveMessage, FleetError>) {
        state.withLock { state in
            switch event {
            case .success(.nothing): break
            case .success(.message(let bytes)):
                if state.messages.count >= Self.limit { state.messages.removeFirst() }
                state.messages.append(bytes)
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
