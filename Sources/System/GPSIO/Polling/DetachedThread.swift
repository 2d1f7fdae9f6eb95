// SPDX-License-Identifier: MIT
import CGPSSerial
import Glibc

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
