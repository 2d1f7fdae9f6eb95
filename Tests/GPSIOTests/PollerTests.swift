// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestSupport
import GPSTestTraits
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.generous))
struct PollerTests {
    @Test func `a sleeper wakes at its deadline and not before`() async {
        let deadline = MonotonicInstant.after(.milliseconds(5))
        #expect(await Poller.shared.sleep(until: deadline) == .timedOut)
        #expect(MonotonicInstant.now >= deadline)
    }

    @Test func `deadlines follow the poller's clock`() async {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let start = poller.now
        let isOver = Witness<Readiness>()
        let sleeper = Task { isOver.note(await poller.sleep(until: start + .seconds(86_400))) }
        while isOver.all.isEmpty {
            clock.advance(by: .seconds(3600))
            await Task.yield()
        }
        #expect(isOver.all == [.timedOut])
        #expect(poller.now >= start + .seconds(86_400))
        await sleeper.value
    }

    @Test func `sleepers wake in the order of their deadlines`() async {
        // On a busy machine the first deadlines may pass before all tasks sleep; the test is then repeated.
        var margin = Duration.milliseconds(20)
        while true {
            let start = MonotonicInstant.after(margin)
            let order = await withTaskGroup(of: (delay: Int, isLate: Bool).self) { group in
                for delay in (0..<10).shuffled() {
                    group.addTask(executorPreference: Poller.shared) {
                        let deadline = start.advanced(by: .milliseconds(delay * 2))
                        let isLate = MonotonicInstant.now >= start
                        _ = await Poller.shared.sleep(until: deadline)
                        return (delay, isLate)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            margin *= 2
            if order.contains(where: \.isLate) { continue }
            #expect(order.map(\.delay) == Array(0..<10))
            return
        }
    }

    @Test func `several threads may close a descriptor while its reader is cancelled`() async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        for _ in 0..<300 {
            let (input, output) = try pipe(poller)
            let reader = Task(executorPreference: poller) {
                await withTaskCancellationHandler {
                    await input.readable()
                } onCancel: {
                    input.close()
                }
            }
            await until { poller.waiterCount == 1 }
            await withTaskGroup { group in
                group.addTask { input.close() }
                group.addTask { reader.cancel() }
            }
            #expect([.closed, .cancelled].contains(await reader.value))
            output.close()
        }
    }

    @Test func `a task that prefers the poller stays on its thread`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let threads = await withTaskExecutorPreference(poller) {
            let before = threadID()
            _ = output.use { write($0, "x", 1) }
            let readiness = await poller.readable(input)
            let between = threadID()
            _ = await poller.sleep(until: .after(.milliseconds(1)))
            #expect(readiness == .ready)
            return [before, between, threadID()]
        }
        #expect(Set(threads).count == 1)
        #expect(threads.first != threadID())
    }

    @Test func `waiting ends at the deadline without an event`() async throws {
        let (input, _output) = try pipe()
        let deadline = MonotonicInstant.after(.milliseconds(5))
        #expect(await input.readable(until: deadline) == .timedOut)
        #expect(MonotonicInstant.now >= deadline)
        withExtendedLifetime(_output) {}
    }

    @Test func `waiting ends when its task is cancelled`() async throws {
        let (input, output) = try pipe()
        let task = Task { await input.readable(until: .after(.seconds(3600))) }
        task.cancel()
        #expect(await task.value == .cancelled)
        withExtendedLifetime(output) {}
    }

    @Test func `a cancelled task does not wait`() async throws {
        let (input, output) = try pipe()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await input.readable(until: .after(.seconds(3600)))
        }
        #expect(await task.value == .cancelled)
        withExtendedLifetime(output) {}
    }

    @Test func `closing wakes waiting tasks`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        async let readiness = input.readable()
        await until { poller.waiterCount == 1 }
        input.close()
        #expect(await readiness == .closed)
        #expect(await input.readable() == .closed)
        withExtendedLifetime(output) {}
    }

    @Test func `stopping wakes waiting tasks and leaves later tasks running`() async throws {
        let poller = Poller()
        let (input, output) = try pipe(poller)
        async let readiness = input.readable()
        await until { poller.waiterCount == 1 }
        poller.stop()
        #expect(await readiness == .closed)
        #expect(await Task(executorPreference: poller) { 7 }.value == 7)
        #expect(await input.readable() == .failed(ECANCELED))
        withExtendedLifetime(output) {}
    }

    @Test func `a poller that cannot start sleeps until the deadline`() async {
        let poller = Poller(failingWith: { EMFILE })
        let deadline = MonotonicInstant.after(.milliseconds(20))
        #expect(await poller.sleep(until: deadline) == .timedOut)
        #expect(MonotonicInstant.now >= deadline)
    }

    @Test func `a poller that cannot start ends the sleep of a cancelled task`() async {
        let poller = Poller(failingWith: { EMFILE })
        let task = Task { await poller.sleep(until: .now + .seconds(3600)) }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `a signal is received although the poller cannot start`() async throws {
        let wakeUp = try WakeUp(poller: Poller(failingWith: { EMFILE }))
        wakeUp.signal()
        #expect(await wakeUp.wait())
        let deadline = MonotonicInstant.after(.milliseconds(20))
        #expect(await !wakeUp.wait(until: deadline))
        #expect(MonotonicInstant.now >= deadline)
    }

    @Test func `a poller that could not start tries again at each wait`() async throws {
        let attempts = Witness<Bool>()
        let poller = Poller(failingWith: {
            attempts.note(true)
            return attempts.all.count > 2 ? 0 : EMFILE
        })
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        #expect(await input.readable(until: .now) == .failed(EMFILE))
        #expect(await input.readable(until: .now) == .timedOut)
        withExtendedLifetime(output) {}
        #expect(await Task(executorPreference: poller) { 7 }.value == 7)
        #expect(attempts.all.count == 3)
    }

    @Test func `a pipe whose writer has closed it is hung up`() async throws {
        let (input, output) = try pipe()
        output.close()
        #expect(await input.readable() == .hungUp)
    }

    @Test func `a regular file is always ready`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("empty", [])
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC))
        #expect(await file.readable() == .ready)
        #expect(await file.readable() == .ready)
    }

    @Test func `a descriptor can be waited for in both directions at once`() async throws {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC
        #expect(socketpair(AF_UNIX, type, 0, &ends) == 0)
        let (near, far) = (Descriptor(ends[0]), Descriptor(ends[1]))
        let block = [UInt8](repeating: 0, count: 65_536)
        while near.use({ write($0, block, block.count) }) ?? 0 > 0 {}
        async let readable = near.readable()
        async let writable = near.writable()
        _ = far.use { write($0, "x", 1) }
        #expect(await readable == .ready)
        while case .bytes = await far.read(atMost: 65_536, until: .now) {}
        #expect(await writable == .ready)
    }

    @Test func `each of many waiters is resumed exactly once`() async throws {
        // All pipes may be open at the same time.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 8192))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let poller = Poller()
        defer { poller.stop() }
        let results = await withTaskGroup(of: Readiness.self) { group in
            for number in 0..<500 {
                group.addTask {
                    guard let (input, output) = try? pipe(poller) else { return .failed(EMFILE) }
                    let task = Task { await input.readable(until: .after(.milliseconds(3))) }
                    switch number % 4 {
                    case 0: _ = output.use { write($0, "x", 1) }
                    case 1: task.cancel()
                    case 2: input.close()
                    default: break
                    }
                    defer { output.close() }
                    return await task.value
                }
            }
            return await group.reduce(into: [Readiness]()) { $0.append($1) }
        }
        #expect(results.count == 500)
        #expect(!results.contains(.hungUp) && !results.contains(.failed(EMFILE)))
        #expect(poller.waiterCount == 0)
    }

    @Test func `an event that no task awaits wakes the thread at most once`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        #expect(await input.readable(until: .after(.milliseconds(1))) == .timedOut)
        output.close()  // a hang-up, which epoll would report for ever
        let before = poller.wakeUps
        for _ in 0..<20 { _ = await poller.sleep(until: .after(.milliseconds(1))) }
        // Each time one wake-up to arm an earlier deadline and one at the deadline.
        #expect(poller.wakeUps - before <= 41)
    }

    @Test func `a descriptor read by a task on the polling thread is armed once`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        await withTaskExecutorPreference(poller) {
            let before = poller.armCount
            for _ in 0..<100 {
                _ = output.use { write($0, "x", 1) }
                #expect(await input.read(atMost: 16, until: nil) == .bytes([0x78]))
            }
            #expect(poller.armCount - before == 1)
        }
    }

    @Test func `unread bytes wake the thread once`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        await withTaskExecutorPreference(poller) {
            _ = output.use { write($0, "x", 1) }
            _ = await input.readable()
            let before = poller.wakeUps
            for _ in 0..<10 { _ = await poller.sleep(until: .after(.milliseconds(1))) }
            #expect(poller.wakeUps - before <= 11)
            #expect(await input.read(atMost: 16, until: nil) == .bytes([0x78]))
        }
    }

    @Test func `a thread with nothing to do is not woken`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        _ = await poller.sleep(until: .after(.milliseconds(1)))
        let before = poller.wakeUps
        _ = await Poller.shared.sleep(until: .after(.milliseconds(50)))
        #expect(poller.wakeUps == before)
    }

    @Test func `readiness takes precedence over a passed deadline`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let past = MonotonicInstant.after(.seconds(-1))
        // On the poller's thread, which then checks deadlines first.
        await withTaskExecutorPreference(poller) {
            #expect(await input.readable(until: past) == .timedOut)
            #expect(await output.writable(until: past) == .ready)
            _ = output.use { write($0, "x", 1) }
            #expect(await input.readable(until: past) == .ready)
        }
    }

    @Test func `bytes that arrived before a deadline come first, however late the thread is`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let start = poller.now
        let events = Witness<Readiness>()
        async let wait = poller.readable(input, until: start + .seconds(1)) { readiness in
            events.note(readiness)
            var byte: UInt8 = 0
            _ = input.use { read($0, &byte, 1) }
            return readiness == .ready ? .again(until: start + .seconds(60)) : .end
        }
        await until { poller.waiterCount == 1 }
        // The thread is busy while a byte arrives and the deadline passes.
        await Task(executorPreference: poller) {
            _ = output.use { write($0, "x", 1) }
            clock.advance(by: .seconds(2))
        }.value
        _ = await events.first(1)
        output.close()
        #expect(await wait == .hungUp)
        #expect(events.all == [.ready, .hungUp])
    }

    @Test func `passed deadlines are not stored`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        // Each reply arrives long before its deadline: one wake-up per event, none for the deadlines.
        await withTaskExecutorPreference(poller) {
            let before = poller.wakeUps
            for _ in 0..<1000 {
                _ = output.use { write($0, "x", 1) }
                _ = await input.read(atMost: 16, until: .after(.milliseconds(500)))
            }
            #expect(poller.wakeUps - before <= 1001)
        }
    }

    @Test func `many busy tasks do not delay a descriptor`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let jobs = Counter()
        let waiting = Task(executorPreference: poller) { await input.readable() }
        let delay = await Task(executorPreference: poller) {
            for _ in 0..<2000 {
                Task(executorPreference: poller) {
                    for _ in 0..<20 {
                        jobs.count.add(1, ordering: .relaxed)
                        await Task.yield()
                    }
                }
            }
            await Task.yield()
            let before = jobs.count.load(ordering: .relaxed)
            _ = output.use { write($0, "x", 1) }
            #expect(await waiting.value == .ready)
            return jobs.count.load(ordering: .relaxed) - before
        }.value
        #expect(delay < 8000)
    }
}

/// Tasks with a low priority on a poller.
@Suite(.timeLimit(.generous))
struct LowPriorityTests {
    @Test func `tasks with a low priority wait for others, but not forever`() async {
        let poller = Poller()
        defer { poller.stop() }
        let (low, ended) = (Counter(), Counter())
        let others = (0..<4).map { _ in
            // They are busy until the others are done.
            Task(executorPreference: poller, priority: .medium) {
                while ended.count.load(ordering: .relaxed) < 10 { await Task.yield() }
            }
        }
        let patient = (0..<10).map { _ in
            Task(executorPreference: poller, priority: .utility) {
                for _ in 0..<20 {
                    low.count.add(1, ordering: .relaxed)
                    await Task.yield()
                }
                ended.count.add(1, ordering: .relaxed)
            }
        }
        for task in patient + others { await task.value }
        #expect(low.count.load(ordering: .relaxed) == 200)
    }

    @Test func `a task runs before many tasks with a low priority`() async {
        let poller = Poller()
        defer { poller.stop() }
        let low = Counter()
        let delay = await Task(executorPreference: poller, priority: .medium) {
            for _ in 0..<2000 {
                Task(executorPreference: poller, priority: .utility) {
                    for _ in 0..<10 {
                        low.count.add(1, ordering: .relaxed)
                        await Task.yield()
                    }
                }
            }
            let before = low.count.load(ordering: .relaxed)
            for _ in 0..<8 { await Task.yield() }
            return low.count.load(ordering: .relaxed) - before
        }.value
        #expect(delay < 100)
    }
}

private final class Counter: Sendable {
    let count = Atomic<Int>(0)
}

private func threadID() -> UInt { UInt(pthread_self()) }

@Suite(.timeLimit(.generous))
struct DeadlineHeapTests {
    @Test func `returns the earliest deadline for any order of insertion`() {
        var heap = DeadlineHeap<UInt64>()
        let start = MonotonicInstant.now
        let delays = (0..<200).shuffled()
        for delay in delays {
            heap.insert(start.advanced(by: .seconds(delay)), token: UInt64(delay))
        }
        for delay in 0..<200 {
            #expect(heap.first?.token == UInt64(delay))
            #expect(heap.first?.instant == start.advanced(by: .seconds(delay)))
            heap.removeFirst()
        }
        #expect(heap.first == nil)
        #expect(heap.isEmpty)
    }

    @Test func `compacting keeps pending deadlines`() {
        var heap = DeadlineHeap<UInt64>()
        let start = MonotonicInstant.now
        for delay in 0..<100 {
            heap.insert(start.advanced(by: .seconds(100 - delay)), token: UInt64(delay))
        }
        heap.compact { $0 % 10 == 0 }
        #expect(heap.count == 10)
        #expect(heap.first?.token == 90)
    }
}
