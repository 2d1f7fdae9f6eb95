// SPDX-License-Identifier: MIT
import Dispatch
import GNSS

/// Runs tasks that may block. Each ready task has its own thread, up to libdispatch's limit for
/// serial queues.
///
/// Swift's global executor uses concurrent queues. After their first use, libdispatch wakes the
/// process once a second until it ends. With serial queues, an idle process does not wake.
package final class BackgroundExecutor: TaskExecutor {
    package static let shared = BackgroundExecutor()

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "gpsbridge.background").async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Runs work that may block.
    package static func run<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(shared) { () async throws(Failure) in try work() }
    }

    /// Blocks a background thread until the deadline on the system's clock. Needs no descriptor.
    /// Returns `false` if the task is cancelled earlier.
    static func sleep(until deadline: MonotonicInstant) async -> Bool {
        let cancellation = DispatchSemaphore(value: 0)
        return await withTaskCancellationHandler {
            await run { wait(for: cancellation, until: deadline) == .timedOut }
        } onCancel: {
            cancellation.signal()
        }
    }

    private static func wait(
        for semaphore: DispatchSemaphore, until deadline: MonotonicInstant
    ) -> DispatchTimeoutResult {
        semaphore.wait(timeout: .now() + max(0, deadline.seconds(since: .now)))
    }
}
