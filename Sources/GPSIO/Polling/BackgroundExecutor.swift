// SPDX-License-Identifier: MIT
import Dispatch

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
}
