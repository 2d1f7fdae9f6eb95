// SPDX-License-Identifier: MIT
package import GNSS
import Synchronization

/// Input of several threads for one task, which waits for it.
package final class Inbox<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        /// Whether something has come since the task took what there was.
        var isSignalled = false
        var isFull = false
    }

    private let empty: Contents
    private let isFull: @Sendable (Contents) -> Bool
    private let setFull: @Sendable (Bool) -> Void
    private let state: Mutex<State>
    private let wakeUp: WakeUp

    /// Creates an inbox that has `empty`. `isFull`, which is called under a lock, says whether a source should pause that
    /// can, and `setFull` is called when that changes.
    ///
    /// Throws where the process has no descriptors left.
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

    /// The input that has not been taken.
    package var contents: Contents { state.withLock(\.contents) }

    /// Puts something in.
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

    /// Takes what is there; waits for it until the deadline, or until cancellation. With `staysFull` a source that can pause
    /// does so all the same.
    package func next(until deadline: MonotonicInstant?, staysFull: Bool = false) async -> Contents
    {
        if let ready = take(staysFull) { return ready }
        _ = await wakeUp.wait(until: deadline)
        return take(staysFull) ?? empty
    }

    /// `nil` where nothing has come.
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
