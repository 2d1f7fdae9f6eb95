// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// A queue of events from an engine's threads to one reading thread.
///
/// The number of messages is bounded. Changes of the connection are stored separately and returned
/// first, since a reader that missed a new connection would never subscribe again.
package final class EventQueue: Sendable {
    private struct State {
        /// The last change of the connection. A final error is never replaced.
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

    /// The maximum number of messages; the oldest are dropped for a slow reader.
    private static let limit = 10_000
    private let state = Mutex(State())
    /// Signalled for each event; a surplus signal only makes the reader check again.
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

    /// Removes and returns the first event; `nil` if there is none.
    package func take() -> Result<LiveMessage, FleetError>? { state.withLock { $0.take() } }

    /// Waits for the first event and removes it; `nil` if none came in time.
    package func next(wait: Duration) -> Result<LiveMessage, FleetError>? {
        let (seconds, attoseconds) = wait.components
        let end = DispatchTime.now() + (Double(seconds) + Double(attoseconds) / 1e18)
        repeat {
            guard let event = take() else { continue }
            // Consumes the event's signal, unless it has ended the wait.
            _ = arrival.wait(timeout: .now())
            return event
        } while arrival.wait(timeout: end) == .success
        return take()
    }
}
