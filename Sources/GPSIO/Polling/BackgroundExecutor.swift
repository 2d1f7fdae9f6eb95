// SPDX-License-Identifier: MIT
import Dispatch

/// Runs tasks that may block: each that is ready has a thread of its own, up to libdispatch's limit for serial queues.
///
/// libdispatch wakes once a second to check the workers of its concurrent queues, on which Swift's global executor runs
/// tasks, as long as the process lives. Those of serial queues it leaves alone, so that a process that waits sleeps.
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
