// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSReceivers
import Synchronization

extension ServedReceiver {
    /// Cancels the task that runs the warm starts, and returns it; `nil` if there is none. The task
    /// ends after the receivers' navigation data has been stored.
    func endWarmStarts() -> Task<Void, Never>? {
        let task = warmStarting.withLock { exchange(&$0, with: nil) }
        task?.cancel()
        return task
    }

    func startWarmStarts() {
        guard !warmStarts.isEmpty else { return }
        let task = Task(executorPreference: session.poller) { [warmStarts] in
            await withDiscardingTaskGroup { group in
                for warmStart in warmStarts { group.addTask { await warmStart.run() } }
            }
        }
        warmStarting.withLock { $0 = task }
    }
}
