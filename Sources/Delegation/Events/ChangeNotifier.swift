// SPDX-License-Identifier: MIT

/// Announces changes of a state without overlap: racing changes end with the final state announced.
///
/// A request that comes while another thread is announcing is left to that thread, which checks again
/// before it stops: no thread waits, and a callback may cause the next change.
///
/// Values are compared with the lock held, so they are plain bits.
final class ChangeNotifier<Value: Equatable & BitwiseCopyable & Sendable>: Sendable {
    private struct State {
        var announced: Value
        var isRunning = false
        var isRequestedAgain = false

        mutating func beginsRound() -> Bool {
            isRunning = isRequestedAgain
            isRequestedAgain = false
            return isRunning
        }
    }

    private let state: Locked<State>
    private let announce: @Sendable (Value) -> Void

    init(initially value: Value, announce: @escaping @Sendable (Value) -> Void) {
        state = Locked(State(announced: value))
        self.announce = announce
    }

    /// Announces what `current` returns if that was not the last thing announced.
    func request(_ current: () -> Value) {
        let isMine = state.withLock { state in
            state.isRequestedAgain = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isMine else { return }
        while state.withLock({ $0.beginsRound() }) {
            let value = current()
            let isNews = state.withLock { state in
                defer { state.announced = value }
                return state.announced != value
            }
            if isNews { announce(value) }
        }
    }
}
