// SPDX-License-Identifier: MIT
import GPSIO
import Synchronization

/// Ensures that only one `LineDialogue` at a time is conducted with a receiver. The others wait for
/// their turn.
final class DialogueTurn: Sendable {
    /// The dialogues that wait for the end of the current turn; `nil` if no dialogue has the turn.
    private let waiting = Mutex<[WakeUp]?>(nil)

    /// Begins a turn and returns `true`. If another dialogue has the turn, returns `false` and
    /// signals `wakeUp` when that turn ends.
    func begin(or wakeUp: WakeUp) -> Bool {
        waiting.withLock { waiting in
            if waiting == nil {
                waiting = []
                return true
            }
            if waiting?.contains(where: { $0 === wakeUp }) == false { waiting?.append(wakeUp) }
            return false
        }
    }

    /// Ends the current turn and signals all waiting dialogues.
    func end() {
        for wakeUp in waiting.withLock({ exchange(&$0, with: nil) }) ?? [] { wakeUp.signal() }
    }
}
