// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// Reports of an engine's threads for the one thread that reads.
///
/// Messages are bounded. The state of the connection is kept apart from them, and comes first: a reader that
/// missed a new connection would never subscribe again.
package final class EventQueue: Sendable {
    private struct State {
        /// The last change of the connection; an error, which is the end, is replaced by nothing.
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

    /// A reader that is slower than its engine loses the oldest.
    private static let limit = 10_000
    private let state = Mutex(State())
    /// Signalled for each event; one too many makes the reader look once more.
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

    /// Takes the first one; `nil` where there is none.
    package func take() -> Result<LiveMessage, FleetError>? { state.withLock { $0.take() } }

    /// Takes the first one, and waits for it; `nil` where none came in time.
    package func next(wait: Duration) -> Result<LiveMessage, FleetError>? {
        let (seconds, attoseconds) = wait.components
        let end = DispatchTime.now() + (Double(seconds) + Double(attoseconds) / 1e18)
        repeat {
            guard let event = take() else { continue }
            // Its signal, unless that has ended the wait.
            _ = arrival.wait(timeout: .now())
            return event
        } while arrival.wait(timeout: end) == .success
        return take()
    }
}
