// SPDX-License-Identifier: MIT

/// Calls a closure after changes of a value, never twice at once; the last call has the final value.
///
/// A request that arrives during a call makes the thread of that call compare the value again. No
/// thread waits, and the closure may cause the next change.
///
/// Values are compared with the lock held, so they must be `BitwiseCopyable`.
final class ChangeNotifier<Value: Equatable & BitwiseCopyable & Sendable>: Sendable {
    private struct State {
        var lastValue: Value
        var isRunning = false
        var needsCheck = false

        mutating func beginCheck() -> Bool {
            isRunning = needsCheck
            needsCheck = false
            return isRunning
        }
    }

    private let state: Locked<State>
    private let onChange: @Sendable (Value) -> Void

    init(initially value: Value, onChange: @escaping @Sendable (Value) -> Void) {
        state = Locked(State(lastValue: value))
        self.onChange = onChange
    }

    /// Calls `onChange` if `current` returns another value than the last call was given.
    func check(_ current: () -> Value) {
        let runsHere = state.withLock { state in
            state.needsCheck = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard runsHere else { return }
        while state.withLock({ $0.beginCheck() }) {
            let value = current()
            let hasChanged = state.withLock { state in
                defer { state.lastValue = value }
                return state.lastValue != value
            }
            if hasChanged { onChange(value) }
        }
    }
}
