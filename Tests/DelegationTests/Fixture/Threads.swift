// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Glibc

/// Runs `body` on `count` threads of their own, started together, and returns when all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let report = LiveObjects.report
    let barrier = Barrier(count)
    let threads = (0..<count).map { index in
        Thread {
            barrier.wait()
            LiveObjects.$report.withValue(report) { body(index) }
        }
    }
    for thread in threads { thread.join() }
}

/// Waits until the work already on `queue` is done.
func drain(_ queue: DispatchQueue) async {
    await withCheckedContinuation { done in queue.async { done.resume() } }
}

/// A system thread.
private struct Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private var id = pthread_t()

    init(_ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(run)).toOpaque()
        let error = pthread_create(
            &id, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body)
        precondition(error == 0, "no thread: error \(error)")
    }

    func join() { pthread_join(id, nil) }
}

/// Lets threads go once all have come.
// Safety: the barrier is made for threads; its pointer never changes.
private final class Barrier: @unchecked Sendable {
    private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

    init(_ count: Int) {
        barrier.initialize(to: pthread_barrier_t())
        pthread_barrier_init(barrier, nil, UInt32(count))
    }

    deinit {
        pthread_barrier_destroy(barrier)
        barrier.deallocate()
    }

    func wait() { pthread_barrier_wait(barrier) }
}
