// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSReceivers
import Synchronization

extension ServedReceiver {
    /// Cancels the warm starts. The returned task ends when they have stored the receivers'
    /// navigation data; `nil` if none are running.
    func endWarmStarts() -> Task<Void, Never>? {
        warmStarting.withLock { task in
            defer { task = nil }
            task?.cancel()
            return task
        }
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
