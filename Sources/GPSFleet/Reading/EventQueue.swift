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
        var isAwaited = false

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
    /// Signalled once for each time that the reader waits, if something comes in that time.
    private let arrival = DispatchSemaphore(value: 0)

    /// Creates an empty queue.
    package init() {}

    /// Appends an event.
    package func append(_ event: Result<LiveMessage, FleetError>) {
        let mustSignal = state.withLock { state in
            switch event {
            case .success(.nothing): return false
            case .success(.message(let bytes)):
                if state.messages.count >= Self.limit { state.messages.removeFirst() }
                state.messages.append(bytes)
            case .success, .failure:
                if case .failure = state.change { return false }
                state.change = event
            }
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if mustSignal { arrival.signal() }
    }

    /// Takes the first one; `nil` where there is none.
    package func take() -> Result<LiveMessage, FleetError>? { state.withLock { $0.take() } }

    /// Takes the first one, and waits for it; `nil` where none came in time.
    package func next(wait: Duration) -> Result<LiveMessage, FleetError>? {
        let ready = state.withLock { state in
            let ready = state.take()
            state.isAwaited = ready == nil
            return ready
        }
        if let ready { return ready }
        let (seconds, attoseconds) = wait.components
        let time = Double(seconds) + Double(attoseconds) / 1e18
        if arrival.wait(timeout: .now() + time) == .timedOut {
            let isSignalled = state.withLock { state in
                defer { state.isAwaited = false }
                return !state.isAwaited
            }
            // It came at the last moment: its signal must not end a later wait.
            if isSignalled { arrival.wait() }
        }
        return take()
    }
}
