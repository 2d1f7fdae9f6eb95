// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct DeliveryQueueTests {
    /// Runs its closures when the test calls it.
    final class ManualExecutor: CallbackExecutor {
        private let jobs = Shared<[@Sendable () -> Void]>([])

        func execute(_ work: @escaping @Sendable () -> Void) { jobs.value.append(work) }
        var count: Int { jobs.value.count }
        func runAll() {
            let due = jobs.value
            jobs.value = []
            for job in due { job() }
        }
    }

    @Test func `a queue runs calls in order on the given dispatch queue`() async {
        let queue = DispatchQueue(label: "delegate")
        let delivery = DeliveryQueue(on: queue)
        let log = Log<Int>()
        for value in 1...100 {
            delivery.enqueue {
                dispatchPrecondition(condition: .onQueue(queue))
                log.append(value)
            }
        }
        await drain(queue)
        #expect(log.entries == Array(1...100))
    }

    @Test func `a queue never runs two calls at once, even on a concurrent dispatch queue`() async {
        let queue = DispatchQueue(label: "delegate", attributes: .concurrent)
        let delivery = DeliveryQueue(on: queue, buffering: .unbounded)
        let running = Shared(0)
        let log = Log<Int>()
        for value in 1...500 {
            delivery.enqueue {
                running.value += 1
                log.append(running.value == 1 ? value : -1)
                running.value -= 1
            }
        }
        await withCheckedContinuation { done in queue.async(flags: .barrier) { done.resume() } }
        #expect(log.entries == Array(1...500))
    }

    @Test func `a full queue drops the oldest call that is not essential`() {
        let executor = ManualExecutor()
        let delivery = DeliveryQueue(on: executor, buffering: .newest(3))
        let log = Log<String>()
        delivery.enqueue { log.append("fix 1") }
        delivery.enqueue(essential: true) { log.append("lost") }
        for index in 2...5 { delivery.enqueue { log.append("fix \(index)") } }
        #expect(delivery.droppedCount == 3 && delivery.pendingCount == 3 && executor.count == 3)
        executor.runAll()
        #expect(log.entries == ["lost", "fix 4", "fix 5"])
    }

    @Test func `a full queue that keeps the oldest drops the new call unless it is essential`() {
        let executor = ManualExecutor()
        let delivery = DeliveryQueue(on: executor, buffering: .oldest(2))
        let log = Log<String>()
        for index in 1...3 { delivery.enqueue { log.append("fix \(index)") } }
        delivery.enqueue(essential: true) { log.append("lost") }
        executor.runAll()
        #expect(log.entries == ["fix 1", "lost"])
        #expect(delivery.droppedCount == 2)
    }

    @Test func `a queue full of essential calls stays bounded`() {
        let executor = ManualExecutor()
        let delivery = DeliveryQueue(on: executor, buffering: .newest(2))
        let log = Log<Int>()
        for value in 1...5 { delivery.enqueue(essential: true) { log.append(value) } }
        delivery.enqueue { log.append(6) }
        executor.runAll()
        #expect(log.entries == [4, 5])
    }

    @Test func `a call made inside a call runs after it`() {
        let delivery = DeliveryQueue(on: .immediate)
        let log = Log<Int>()
        delivery.enqueue {
            delivery.enqueue { log.append(2) }
            log.append(1)
        }
        delivery.enqueue { log.append(3) }
        #expect(log.entries == [1, 2, 3])
    }
}
