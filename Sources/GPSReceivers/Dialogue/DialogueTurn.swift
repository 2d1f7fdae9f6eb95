// SPDX-License-Identifier: MIT
import GPSIO
import Synchronization

/// Ensures that only one `LineDialogue` at a time is conducted with a receiver. The others wait for
/// their turn.
final class DialogueTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [WakeUp] = []
    }

    private let state = Mutex(State())

    /// Begins a turn and returns `true`. If another dialogue has the turn, returns `false` and
    /// signals `wakeUp` when that turn ends.
    func begin(or wakeUp: WakeUp) -> Bool {
        state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return true
            }
            if !state.waiting.contains(where: { $0 === wakeUp }) { state.waiting.append(wakeUp) }
            return false
        }
    }

    /// Ends the current turn and signals all waiting dialogues.
    func end() {
        let waiting = state.withLock { exchange(&$0, with: State()).waiting }
        for wakeUp in waiting { wakeUp.signal() }
    }
}
