// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Glibc

/// Runs `body` on `count` new threads that start together; returns when all have finished.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let counts = LiveCounts.current
    let barrier = Barrier(count)
    let threads = (0..<count).map { index in
        Thread {
            barrier.wait()
            LiveCounts.$current.withValue(counts) { body(index) }
        }
    }
    for thread in threads { thread.join() }
}

/// Waits until `queue` has done its pending work.
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

/// Releases its waiting threads when all have arrived.
// Safety: a pthread barrier may be used by any thread; its pointer never changes.
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
