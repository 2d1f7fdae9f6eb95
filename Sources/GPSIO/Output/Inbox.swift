// SPDX-License-Identifier: MIT
package import GNSS
import Synchronization

/// Collects input from several threads for one waiting task.
package final class Inbox<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        /// Whether input has been added since the task received the last.
        var isSignalled = false
        var isFull = false
    }

    private let empty: Contents
    private let isFull: @Sendable (Contents) -> Bool
    private let setFull: @Sendable (Bool) -> Void
    private let state: Mutex<State>
    private let wakeUp: WakeUp

    /// Creates an inbox with the contents `empty`. `isFull`, which is called under a lock, returns
    /// whether sources that can pause should; `setFull` is called when that changes.
    ///
    /// Throws if the process has no descriptors left.
    package init(
        _ empty: Contents, isFull: @escaping @Sendable (Contents) -> Bool,
        setFull: @escaping @Sendable (Bool) -> Void
    ) throws(IOError) {
        wakeUp = try WakeUp()
        self.empty = empty
        self.isFull = isFull
        self.setFull = setFull
        state = Mutex(State(contents: empty))
    }

    /// The input not received yet.
    package var contents: Contents { state.withLock(\.contents) }

    /// Adds input.
    package func change(_ body: (inout Contents) -> Void) {
        let (mustSignal, hasFilled) = state.withLock { state in
            body(&state.contents)
            let hasFilled = !state.isFull && isFull(state.contents)
            if hasFilled { state.isFull = true }
            defer { state.isSignalled = true }
            return (!state.isSignalled, hasFilled)
        }
        if hasFilled { setFull(true) }
        if mustSignal { wakeUp.signal() }
    }

    /// Returns and removes the input; waits for it until the deadline or cancellation. With
    /// `staysFull`, sources that can pause keep pausing.
    package func next(until deadline: MonotonicInstant?, staysFull: Bool = false) async -> Contents
    {
        if let ready = take(staysFull) { return ready }
        _ = await wakeUp.wait(until: deadline)
        return take(staysFull) ?? empty
    }

    /// Returns and removes the input; `nil` if there is none.
    private func take(_ staysFull: Bool) -> Contents? {
        let (contents, wasFull) = state.withLock { state in
            let before = state
            state = State(contents: empty, isFull: staysFull)
            return (before.isSignalled ? before.contents : nil, before.isFull)
        }
        if wasFull != staysFull { setFull(staysFull) }
        return contents
    }
}
