// SPDX-License-Identifier: MIT
import Dispatch

/// Runs tasks that may block. Each ready task has its own thread, up to libdispatch's limit for
/// serial queues.
///
/// Swift's global executor runs on concurrent queues, for which libdispatch wakes once a second as
/// long as the process lives. It does not do so for serial queues, so that an idle process sleeps.
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
