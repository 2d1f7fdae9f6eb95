// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Testing

/// Runs `body` on `count` real threads at once and returns when all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let counts = LiveCounts.current
    DispatchQueue.concurrentPerform(iterations: count) { index in
        LiveCounts.$current.withValue(counts) { body(index) }
    }
}

/// Waits until the work already on `queue` is done.
func drain(_ queue: DispatchQueue) async {
    await withCheckedContinuation { done in queue.async { done.resume() } }
}
