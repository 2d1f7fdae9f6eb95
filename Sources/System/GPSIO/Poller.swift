// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc
import Synchronization

/// A task executor whose thread waits for descriptors and deadlines with epoll, and resumes the
/// tasks that wait for them.
///
/// A task with a poller as its executor preference resumes on the polling thread itself. Such a
/// task must not block. A task that reads repeatedly can pass a handler, which the poller calls for
/// each read without resuming the task.
///
/// A descriptor stays armed in epoll as long as each of its events finds a task that waits for it.
/// The first event without a waiting task disarms it, so that neither a hang-up nor an end of file
/// keeps the thread busy.
///
/// A deadline that passes while the machine is suspended is handled after it resumes, possibly
/// late.
package final class Poller: TaskExecutor {
    /// A handler's decision about the next wait.
    package enum HandlerResult: Sendable {
        /// Wait for the next event, with a new deadline. `nil` means no deadline.
        case again(until: MonotonicInstant?)
        /// Wait for the next event with the same deadline.
        case unchanged
        /// Postpone work. The poller calls the closure when epoll reports no more events, but at
        /// the latest after sixteen polls, and always before the next event for the same handler.
        /// The closure returns the next decision. It is not called if the wait has ended, for
        /// example by cancellation. If the handler was called outside the poller, the closure is
        /// called immediately.
        case later(@Sendable () -> HandlerResult)
        /// Stop waiting and resume the task.
        case end

        /// Runs all postponed work now, and returns the decision after it, which is never `.later`.
        package func completed() -> HandlerResult {
            var next = self
            while case .later(let work) = next { next = work() }
            return next
        }
    }

    /// Handles an event on the polling thread: `.ready`, `.hungUp` or `.timedOut`. It must not
    /// block.
    package typealias Handler = @Sendable (Readiness) -> HandlerResult

    /// The process's poller; its thread starts at the first use.
    package static let shared = Poller()

    private let time: PollerTime
    private let name: String
    private let startFailure: @Sendable () -> CInt
    /// The file descriptor of the epoll instance and, in `wakeUpNumber`, that of the eventfd that
    /// wakes the thread; -1 if not open.
    private let epollNumber = Atomic<CInt>(-1)
    private let wakeUpNumber = Atomic<CInt>(-1)
    private let state = Mutex(PollerState())
    private let numbers = Atomic<UInt64>(0)
    private let wakeUpCounter = Atomic<Int>(0)
    /// A buffer that all reads share. After a read, the received bytes are copied from it into a
    /// new array.
    private let scratch = Mutex<[UInt8]>([])

    /// The current time on the poller's clock.
    package var now: MonotonicInstant { time.now() }

    /// The number of `epoll_wait` calls with a timeout other than 0, in which the thread may sleep.
    package var wakeUps: Int { wakeUpCounter.load(ordering: .relaxed) }

    /// The number of `epoll_ctl` calls that armed a descriptor.
    package var armCount: Int { state.withLock { $0.armCount } }

    /// The earliest deadline of all waiting tasks; `nil` if there is none.
    package var nextDeadline: MonotonicInstant? { state.withLock { $0.nextDeadline } }

    /// The number of waiting tasks.
    package var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Whether handlers read several descriptors, so that each handler delays the others.
    package var hasSeveralHandlers: Bool { state.withLock { $0.handlerCount > 1 } }

    /// Starts a separate poller, which runs until `stop()` is called. The thread's name may have at
    /// most 15 characters.
    package convenience init(name: String = "gps-poller") {
        self.init(.system, name: name)
    }

    /// Starts a separate poller that measures deadlines with another clock, such as a test's manual
    /// clock.
    package convenience init(clock: some Clock<Duration>) {
        self.init(PollerTime(clock))
    }

    /// Starts a separate poller for a test. Each attempt to start it fails with the `errno` that
    /// `failure` returns, unless that is 0.
    package convenience init(failingWith failure: @escaping @Sendable () -> CInt) {
        self.init(.system, failingWith: failure)
    }

    private init(
        _ time: PollerTime, name: String = "gps-poller",
        failingWith failure: @escaping @Sendable () -> CInt = { 0 }
    ) {
        self.time = time
        self.name = name
        startFailure = failure
        state.withLock { start(&$0) }
    }

    deinit { closeDescriptors() }

    /// Starts the thread. If that fails, each wait for a descriptor tries to start it again. While
    /// that fails too, the wait returns `.failed`, and tasks run on the global executor.
    private func start(_ state: inout PollerState) {
        let error = startThread()
        state.failure = error == 0 ? nil : error
        state.hasThread = error == 0
    }

    /// Ends the thread; pending waits return `.closed`.
    package func stop() {
        state.withLock { $0.failure = ECANCELED }
        wakeThread()
    }

    // MARK: Waiting

    /// Waits until there is data to read or the deadline has passed. If a handler is passed, it is
    /// called for each of these events, and the wait lasts until it returns `.end`.
    ///
    /// For a regular file, returns `.ready` immediately and does not call the handler.
    package func readable(
        _ descriptor: Descriptor, until deadline: MonotonicInstant? = nil,
        handler: Handler? = nil
    ) async -> Readiness {
        await wait(for: descriptor, EPOLLIN.rawValue, until: deadline, handler)
    }

    /// Waits until there is free space to write.
    func writable(
        _ descriptor: Descriptor, until deadline: MonotonicInstant? = nil
    ) async -> Readiness {
        await wait(for: descriptor, EPOLLOUT.rawValue, until: deadline)
    }

    /// Waits until the descriptor hangs up.
    func hangup(of descriptor: Descriptor) async -> Readiness {
        // epoll always reports a hang-up, but `wait` needs an event. Linux never reports
        // `EPOLLMSG`.
        await wait(for: descriptor, EPOLLMSG.rawValue, until: nil)
    }

    /// Waits until the deadline, even if the polling thread cannot be started. Returns `.timedOut`,
    /// or `.cancelled` if the task is cancelled earlier.
    package func sleep(until deadline: MonotonicInstant) async -> Readiness {
        let readiness = await wait(for: nil, 0, until: deadline)
        guard case .failed(let error) = readiness, error != ECANCELED else { return readiness }
        // Sleep on another thread, because a caller that repeats a failed wait would keep a
        // processor busy.
        return await BackgroundExecutor.sleep(until: deadline) ? .timedOut : .cancelled
    }

    private func wait(
        for descriptor: Descriptor?, _ events: UInt32, until deadline: MonotonicInstant?,
        _ handler: Handler? = nil
    ) async -> Readiness {
        let (_, number) = numbers.add(1, ordering: .relaxed)
        return await withTaskCancellationHandler {
            // Safety: resumed once: below, or by the code that removes the waiter from the state.
            await withUnsafeContinuation { continuation in
                let waiter = Waiter(
                    number, fd: descriptor?.number, events: events, handler: handler, continuation)
                if let descriptor {
                    // The descriptor cannot be closed between the check and the registration.
                    let registered: Void? = descriptor.use { _ in
                        register(waiter, until: deadline)
                    }
                    if registered == nil { continuation.resume(returning: .closed) }
                } else {
                    register(waiter, until: deadline)
                }
                // The task was cancelled before the waiter was registered.
                if Task.isCancelled { cancel(number, of: descriptor?.number) }
            }
        } onCancel: {
            cancel(number, of: descriptor?.number)
        }
    }

    private func register(_ waiter: Waiter, until deadline: MonotonicInstant?) {
        let outcome = state.withLock { state -> (answer: Readiness?, mustWake: Bool) in
            if let failure = state.failure, failure != ECANCELED { start(&state) }
            if let failure = state.failure { return (.failed(failure), false) }
            switch state.add(waiter, until: deadline, of: epoll) {
            case 0: break
            case EPERM: return (.ready, false)  // a regular file never blocks
            case let error: return (.failed(error), false)
            }
            guard let deadline else { return (nil, false) }
            return (nil, state.enter(deadline, of: waiter))
        }
        if let answer = outcome.answer { waiter.continuation.resume(returning: answer) }
        if outcome.mustWake { wakeThread() }
    }

    /// Ends a wait with `.cancelled`. This method does not take the descriptor's lock, because the
    /// runtime calls cancellation handlers with its own lock held.
    private func cancel(_ number: UInt64, of fd: CInt?) {
        let waiter = state.withLock { $0.remove(number, of: fd) }
        waiter?.continuation.resume(returning: .cancelled)
    }

    /// Ends the current timeout of a wait that has a handler, as if its deadline had passed. The
    /// handler is called on the polling thread and returns the next deadline. Has no effect if
    /// there is no such wait.
    package func interrupt(_ descriptor: Descriptor) {
        let mustWake = descriptor.use { fd in state.withLock { $0.interrupt(fd, at: now) } }
        if mustWake == true { wakeThread() }
    }

    /// Removes `fd` from epoll and returns its waiters, which the caller must resume. Call it
    /// before closing the descriptor.
    func forget(_ fd: CInt) -> [Waiter] {
        state.withLock { $0.forget(fd, of: epoll) }
    }

    /// Calls `body` with the shared buffer, which has at least `count` bytes. `body` must not
    /// block.
    func withScratch<Result: Sendable>(
        atLeast count: Int, _ body: (inout [UInt8]) -> Result
    ) -> Result {
        scratch.withLock { scratch in
            if scratch.count < count { scratch = [UInt8](repeating: 0, count: count) }
            return body(&scratch)
        }
    }

    // MARK: Running tasks

    package func enqueue(_ job: consuming ExecutorJob) {
        let isLow = job.priority.rawValue < TaskPriority.medium.rawValue
        let unowned = UnownedJob(job)
        let (mustWake, isRunning) = state.withLock { state in
            guard state.hasThread else { return (false, false) }
            if isLow { state.lowPriorityJobs.append(unowned) } else { state.jobs.append(unowned) }
            return (state.wake(), true)
        }
        if mustWake { wakeThread() }
        if !isRunning { globalConcurrentExecutor.enqueue(ExecutorJob(unowned)) }
    }

    // MARK: The thread

    /// The maximum number of jobs to run before descriptors are polled again.
    private static let stride = 64
    private static let wakeUpKey = UInt64.max

    private var epoll: CInt { epollNumber.load(ordering: .relaxed) }
    private var wakeUpDescriptor: CInt { wakeUpNumber.load(ordering: .relaxed) }

    /// Creates the descriptors and starts the thread. Returns 0 or an `errno`.
    private func startThread() -> CInt {
        let refusal = startFailure()
        guard refusal == 0 else { return refusal }
        let epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return errno }
        let wakeUp = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        var error = wakeUp < 0 ? errno : 0
        epollNumber.store(epoll, ordering: .relaxed)
        wakeUpNumber.store(wakeUp, ordering: .relaxed)
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.wakeUpKey))
        if error == 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) != 0 { error = errno }
        if error == 0 { error = DetachedThread.start(name) { self.run() } }
        if error != 0 { closeDescriptors() }
        return error
    }

    private func closeDescriptors() {
        close(epollNumber.exchange(-1, ordering: .relaxed))
        close(wakeUpNumber.exchange(-1, ordering: .relaxed))
    }

    private func wakeThread() {
        _ = eventfd_write(wakeUpDescriptor, 1)
    }

    private func run() {
        let wake: @Sendable () -> Void = { [weak self] in self?.wakeThread() }
        var jobs: [UnownedJob] = []
        var due: [PollerEvent] = []
        var ready: [PollerEvent] = []
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var postponed: [PostponedWork] = []
        var (jobCount, rounds, looks) = (0, 0, 0)
        while true {
            let (timeout, isRunning, alarm, isLow) = state.withLock {
                $0.nextStep(jobs: &jobs, atMost: Self.stride, due: &due, time)
            }
            if let alarm, postponed.isEmpty { time.wait(until: alarm, then: wake) }
            if !due.isEmpty {
                // If this thread is late, bytes may have arrived before the deadline.
                let count = epoll_wait(epoll, &events, CInt(events.count), 0)
                takeReady(events.prefix(Int(max(count, 0))), &ready, &postponed)
                for delivery in due { deliver(delivery, &postponed) }
                due.removeAll(keepingCapacity: true)
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            guard isRunning else { break }
            (jobCount, rounds) = (jobCount + jobs.count, timeout == 0 ? rounds + 1 : 0)
            guard rounds % 16 == 0 || jobCount >= Self.stride || isLow else { continue }
            jobCount = 0
            let mayWait = timeout != 0 && postponed.isEmpty
            let count = epoll_wait(epoll, &events, CInt(events.count), mayWait ? timeout : 0)
            if mayWait { wakeUpCounter.add(1, ordering: .relaxed) }
            takeReady(events.prefix(Int(max(count, 0))), &ready, &postponed)
            looks = postponed.isEmpty ? 0 : looks + 1
            // Run postponed work when there are no events, or after 16 polls with events.
            let work = count <= 0 ? min(postponed.count, 1) : looks > 16 ? postponed.count : 0
            for _ in 0..<work {
                finish(postponed.removeFirst(), &postponed)
                looks = 0
            }
        }
        for waiter in state.withLock({ $0.removeAll() }) {
            waiter.continuation.resume(returning: .closed)
        }
        // The remaining jobs move to the global executor only now, so that no task ran on another
        // thread at the same time as a handler.
        let rest = state.withLock { state in
            state.hasThread = false
            defer { (state.jobs, state.lowPriorityJobs) = ([], []) }
            return state.jobs + state.lowPriorityJobs
        }
        for job in rest { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    private func takeReady(
        _ events: ArraySlice<epoll_event>, _ ready: inout [PollerEvent],
        _ postponed: inout [PostponedWork]
    ) {
        state.withLock { state in
            state.isAsleep = false
            for event in events where event.data.u64 != Self.wakeUpKey {
                state.takeReady(event.data.u64, event.events, of: epoll, into: &ready)
            }
        }
        if events.contains(where: { $0.data.u64 == Self.wakeUpKey }) {
            var count: eventfd_t = 0
            eventfd_read(wakeUpDescriptor, &count)
        }
        for delivery in ready { deliver(delivery, &postponed) }
        // Releases the handlers.
        ready.removeAll(keepingCapacity: true)
    }

    private func deliver(_ delivery: PollerEvent, _ postponed: inout [PostponedWork]) {
        let waiter = delivery.waiter
        let isDue = delivery.readiness == .timedOut
        guard let handler = waiter.handler else {
            // Bytes that came first have ended the wait.
            if isDue, let fd = waiter.fd,
                state.withLock({ $0.remove(waiter.number, of: fd) }) == nil
            {
                return
            }
            return waiter.continuation.resume(returning: delivery.readiness)
        }
        // Bytes that came first may have moved the deadline.
        if isDue, !state.withLock({ $0.isWaiting(waiter, until: delivery.passedDeadline) }) {
            return
        }
        // Finish this waiter's postponed work first: it determines whether the deadline still
        // applies.
        var hadRest = false
        while let index = postponed.firstIndex(where: { $0.delivery.waiter === waiter }) {
            var rest = postponed.remove(at: index)
            if isDue { rest.delivery = delivery }
            finish(rest, &postponed)
            hadRest = true
        }
        if hadRest, isDue { return }
        // An earlier handler may have ended the wait.
        guard state.withLock({ $0.isWaiting(waiter) }) else { return }
        follow(handler(delivery.readiness), delivery, &postponed)
    }

    private func finish(_ rest: PostponedWork, _ postponed: inout [PostponedWork]) {
        guard state.withLock({ $0.isWaiting(rest.delivery.waiter) }) else { return }
        follow(rest.work(), rest.delivery, &postponed)
    }

    private func follow(
        _ next: HandlerResult, _ delivery: PollerEvent, _ postponed: inout [PostponedWork]
    ) {
        let waiter = delivery.waiter
        switch next {
        case .unchanged:
            // A deadline that has passed has been removed from the heap.
            guard let passed = delivery.passedDeadline else { return }
            _ = state.withLock { $0.renew(waiter, until: passed, hasPassed: true) }
        case .again(until: let deadline):
            let hasPassed = delivery.passedDeadline != nil
            _ = state.withLock { $0.renew(waiter, until: deadline, hasPassed: hasPassed) }
        case .later(let work):
            postponed.append(PostponedWork(delivery: delivery, work: work))
        case .end:
            // `remove` returns `nil` if the wait has been cancelled or the descriptor closed.
            let ended = state.withLock { $0.remove(waiter.number, of: waiter.fd) }
            ended?.continuation.resume(returning: delivery.readiness)
        }
    }
}
