// SPDX-License-Identifier: MIT

/// Puts a property's initial value before its changes although both may come at once.
///
/// Changes that arrive while the initial value is being read wait. They make that value stale or
/// repeat it, so it is left out then and the first of them is the first element.
final class InitialValueGate<Value: Sendable>: Sendable {
    /// What waits until the gate opens.
    private struct State: Sendable {
        var isOpen = false
        var changes: [Value] = []
        var isCompleted = false
    }

    private let state = Locked(State())
    private let onValue: @Sendable (Value) -> Void
    private let onCompletion: @Sendable () -> Void

    init(
        onValue: @escaping @Sendable (Value) -> Void, onCompletion: @escaping @Sendable () -> Void
    ) {
        self.onValue = onValue
        self.onCompletion = onCompletion
    }

    func change(_ value: Value) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.changes.append(value) }
            return state.isOpen
        }
        if isOpen { onValue(value) }
    }

    func complete() {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.isCompleted = true }
            return state.isOpen
        }
        if isOpen { onCompletion() }
    }

    /// Delivers `initial` or what has come in its place, and lets everything through from then on.
    func open(with initial: Value?) {
        var waiting = takeWaiting()
        if waiting?.changes.isEmpty == true, waiting?.isCompleted == false, let initial {
            onValue(initial)
        }
        while let (changes, isCompleted) = waiting {
            for change in changes { onValue(change) }
            if isCompleted { onCompletion() }
            waiting = takeWaiting(opening: true)
        }
    }

    /// What waits; `nil` when nothing does and the gate has been opened because of it.
    private func takeWaiting(opening: Bool = false) -> (changes: [Value], isCompleted: Bool)? {
        state.withLock { state in
            guard !state.isOpen else { return nil }
            if opening, state.changes.isEmpty, !state.isCompleted {
                state.isOpen = true
                return nil
            }
            defer {
                state.changes = []
                state.isCompleted = false
            }
            return (state.changes, state.isCompleted)
        }
    }
}
