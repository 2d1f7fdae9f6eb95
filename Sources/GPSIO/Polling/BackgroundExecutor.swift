// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import Glibc

/// Runs tasks that may block. Each ready task has its own thread, up to libdispatch's limit for
/// serial queues.
///
/// Swift's global executor uses concurrent queues. Once they are used, libdispatch wakes once a
/// second until the process ends. With serial queues, an idle process does not wake.
package final class BackgroundExecutor: TaskExecutor {
    package static let shared = BackgroundExecutor()

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "gpsbridge.background").async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Blocks a background thread until the deadline on the system's clock. Needs no descriptor.
    /// Returns `false` if the task is cancelled earlier.
    static func sleep(until deadline: MonotonicInstant) async -> Bool {
        await withTaskExecutorPreference(shared) { () async -> Bool in
            while !Task.isCancelled {
                let rest = MonotonicInstant.now.duration(to: deadline)
                guard rest > .zero else { return true }
                usleep(rest < .milliseconds(50) ? 1000 : 50_000)
            }
            return false
        }
    }
}
