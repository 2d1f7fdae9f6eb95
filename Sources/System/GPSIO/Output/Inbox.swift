// SPDX-License-Identifier: MIT
package import GNSS
import Synchronization

/// Collects input from several threads for one waiting task.
package final class Inbox<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        /// Whether input has been added since the waiting task last took the contents.
        var isSignalled = false
        var isFull = false
    }

    private let empty: Contents
    private let isFull: @Sendable (Contents) -> Bool
    private let setFull: @Sendable (Bool) -> Void
    private let state: Mutex<State>
    private let wakeUp: WakeUp

    /// Creates an inbox. `empty` is the value of `contents` without input. `isFull` returns `true`
    /// for contents at which sources that can pause should pause; it is called with the lock held.
    /// When its result changes, `setFull` is called with the new result.
    ///
    /// Throws an ``IOError`` if the process has no free descriptors.
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

    /// The input that the waiting task has not taken yet.
    package var contents: Contents { state.withLock(\.contents) }

    /// Changes the contents with `body`, which is called with the lock held, and wakes the waiting
    /// task.
    package func change(_ body: (inout Contents) -> Void) {
        let (mustSignal, hasFilled) = state.withLock { state in
            body(&state.contents)
            let hasFilled = !state.isFull && isFull(state.contents)
            if hasFilled { state.isFull = true }
            return (!exchange(&state.isSignalled, with: true), hasFilled)
        }
        if hasFilled { setFull(true) }
        if mustSignal { wakeUp.signal() }
    }

    /// Returns and removes the input. Without input, waits for it until the deadline or until the
    /// task is cancelled, and may then return the empty value.
    ///
    /// If `staysFull` is `true`, sources that can pause should pause after this call. Otherwise,
    /// they may continue.
    package func next(until deadline: MonotonicInstant?, staysFull: Bool = false) async -> Contents
    {
        if let ready = take(staysFull) { return ready }
        _ = await wakeUp.wait(until: deadline)
        return take(staysFull) ?? empty
    }

    /// Returns and removes the input; `nil` if no input has been added since the last call.
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
