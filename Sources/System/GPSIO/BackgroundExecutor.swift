// SPDX-License-Identifier: MIT
import CGPSSerial
import Dispatch
package import GNSS
import Glibc

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

/// Starts detached threads, for work that blocks.
package enum DetachedThread {
    private final class Job: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread that calls `body` with all signals blocked. Returns 0, or the error of
    /// `pthread_create`. The name may have at most 15 characters.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> CInt {
        var thread = pthread_t()
        // Safety: the thread releases the job or, if it does not start, the code below.
        let job = Unmanaged.passRetained(Job(name, body))
        let result = pthread_create(
            &thread, nil,
            { context in
                // Block all signals, so that they are delivered to other threads.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                guard let context else { return nil }
                // Safety: this balances `passRetained`.
                let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
                clinux_name_thread(job.name)
                job.body()
                return nil
            }, job.toOpaque())
        guard result == 0 else {
            job.release()
            return result
        }
        pthread_detach(thread)
        return 0
    }
}

/// A signal to one task. It resumes the task if the task waits. Otherwise, the next wait returns
/// immediately.
package final class WakeUp: Sendable {
    /// The longest wait if the poller cannot watch the descriptor.
    private static let retryInterval = Duration.milliseconds(100)

    private let descriptor: Descriptor

    /// Creates a signal. Throws an ``IOError`` if the process has no free descriptors.
    ///
    /// The corresponding C function is `eventfd`.
    package init(poller: Poller = .shared) throws(IOError) {
        let fd = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard fd >= 0 else { throw IOError(.create, "eventfd") }
        descriptor = Descriptor(fd, poller: poller)
    }

    /// Resumes the waiting task. If no task waits, the next wait returns immediately.
    package func signal() {
        _ = descriptor.use { eventfd_write($0, 1) }
    }

    /// Waits for a signal. Returns at once if one has been sent since the last wait. Returns `true`
    /// for a signal; `false` if the deadline passes or the task is cancelled, and after 0.1 s if the
    /// poller cannot watch the descriptor.
    package func wait(until deadline: MonotonicInstant? = nil) async -> Bool {
        switch await descriptor.readable(until: deadline) {
        case .ready: break
        case .failed:
            // A caller that repeats this would otherwise keep a processor busy.
            let latest = descriptor.poller.now + Self.retryInterval
            _ = await descriptor.poller.sleep(until: min(deadline ?? latest, latest))
        default: return false
        }
        return descriptor.use { fd in
            var count: eventfd_t = 0
            return eventfd_read(fd, &count) == 0
        } ?? false
    }
}
