// SPDX-License-Identifier: MIT

/// Calls a closure when a value has changed. Calls never overlap, and the last call receives the
/// final value.
///
/// If `check` is called while another thread runs the closure, it returns at once, and the other
/// thread compares the value again afterwards. So no thread waits, and the closure itself may
/// change the value.
///
/// Values are compared while a lock is held, so they must be `BitwiseCopyable`: their comparison
/// does not run other code.
final class ChangeNotifier<Value: Equatable & BitwiseCopyable & Sendable>: Sendable {
    private struct State {
        /// The value at the last comparison.
        var lastValue: Value
        /// Whether a thread is comparing the value or running the closure.
        var isRunning = false
        /// Whether `check` has been called since the last comparison began.
        var needsCheck = false

        /// Begins a comparison if `check` has been called since the last comparison began.
        /// Otherwise sets `isRunning` to `false` and returns `false`: the value need not be
        /// compared again.
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

    /// Compares the value that `current` returns with the previous one, and calls `onChange` if it
    /// differs. Returns at once if another thread is already comparing; that thread then compares
    /// again.
    func check(_ current: () -> Value) {
        let runsHere = state.withLock { state in
            state.needsCheck = true
            return !exchange(&state.isRunning, with: true)
        }
        guard runsHere else { return }
        while state.withLock({ $0.beginCheck() }) {
            let value = current()
            let hasChanged = state.withLock { exchange(&$0.lastValue, with: value) != value }
            if hasChanged { onChange(value) }
        }
    }
}
