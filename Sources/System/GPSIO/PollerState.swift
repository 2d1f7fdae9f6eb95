// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
import Glibc

/// A waiting task and the `epoll` events for which it waits.
///
/// The continuation is unsafe because a checked one would cost time in each wait. It is resumed
/// exactly once: by the code that removes the waiter from `PollerState`.
final class Waiter: Sendable {
    /// A number that identifies the waiter.
    let number: UInt64
    /// The descriptor; `nil` for a wait that only has a deadline.
    let fd: CInt?
    let events: UInt32
    /// Called for each event; `nil` to resume the task at the first event.
    let handler: Poller.Handler?
    let continuation: UnsafeContinuation<Readiness, Never>

    init(
        _ number: UInt64, fd: CInt?, events: UInt32, handler: Poller.Handler?,
        _ continuation: UnsafeContinuation<Readiness, Never>
    ) {
        self.number = number
        self.fd = fd
        self.events = events
        self.handler = handler
        self.continuation = continuation
    }
}

/// An event to deliver to a waiter.
struct PollerEvent {
    let waiter: Waiter
    let readiness: Readiness
    /// The deadline that has passed, if the readiness is `.timedOut`.
    var passedDeadline: MonotonicInstant?
}

/// Work postponed by a handler.
struct PostponedWork {
    /// The event for which the handler was called.
    var delivery: PollerEvent
    let work: @Sendable () -> Poller.HandlerResult
}

/// The state of a `Poller`, protected by its lock.
struct PollerState {
    /// A waiter and its current deadline.
    private struct Waiting {
        let waiter: Waiter
        var deadline: MonotonicInstant?
    }

    /// A descriptor, its waiters, and its registration with epoll.
    private struct Interest {
        /// A part of the key stored in epoll. Pending events of an earlier descriptor with the same
        /// number have another generation, and are ignored.
        let generation: UInt32
        var waiters: [Waiting] = []
        var armed: UInt32 = 0
        /// Whether the descriptor is registered with epoll.
        var isRegistered = false
        /// Whether the descriptor is armed without `EPOLLONESHOT`, so that it stays armed after an
        /// event.
        var staysArmed = false
        /// The remaining number of times to arm the descriptor with `EPOLLONESHOT`. It is set after
        /// an event without a waiter.
        var oneShotWaits = 0

        mutating func remove(_ number: UInt64) -> Waiter? {
            index(of: number).map { waiters.remove(at: $0).waiter }
        }

        func index(of number: UInt64) -> Int? {
            waiters.firstIndex { $0.waiter.number == number }
        }
    }

    /// An entry of the deadline heap. It is obsolete if the waiter has been removed or has another
    /// deadline.
    private struct Slot {
        let number: UInt64
        let fd: CInt?
        let deadline: MonotonicInstant
    }

    /// The number of times to use `EPOLLONESHOT` after an event without a waiter. Such events recur
    /// if a task reads on another thread, because it does not wait again before the next poll.
    private static let oneShotWaits = 64

    /// The `errno` if the poller could not be started, or `ECANCELED` after `stop()`; otherwise
    /// `nil`.
    var failure: CInt?
    /// Whether the polling thread executes the jobs of tasks. Otherwise, the global executor does.
    var hasThread = true
    var jobs: [UnownedJob] = []
    /// The jobs of low-priority tasks. They run if there are no other jobs, and in every sixteenth
    /// step (call of `nextStep`).
    var lowPriorityJobs: [UnownedJob] = []
    private var stepsWithoutLowPriority = 0
    var isAsleep = false
    /// The number of waiting tasks.
    private(set) var waiterCount = 0
    /// The number of waiting tasks with a handler.
    private(set) var handlerCount = 0
    private(set) var armCount = 0
    /// The `Interest` in each descriptor, indexed by its number. The array stays short because the
    /// system always assigns the lowest free number.
    private var interests: [Interest?] = []
    /// The waiters without a descriptor, keyed by `Waiter.number`.
    private var sleepers: [UInt64: Waiter] = [:]
    private var deadlines = DeadlineHeap<Slot>()
    private var sleepsUntil: MonotonicInstant?
    private var lastGeneration: UInt32 = 0

    /// Marks the polling thread as awake. Returns `true` if it was asleep, so that it must be
    /// woken.
    mutating func wake() -> Bool { exchange(&isAsleep, with: false) }

    /// The earliest deadline of all waiting tasks; `nil` if there is none.
    var nextDeadline: MonotonicInstant? {
        mutating get { earliestDeadline()?.instant }
    }

    private mutating func earliestDeadline() -> (instant: MonotonicInstant, token: Slot)? {
        while let first = deadlines.first, !isWaiting(first.token) { deadlines.removeFirst() }
        return deadlines.first
    }

    private func isWaiting(_ slot: Slot) -> Bool {
        guard let fd = slot.fd else { return sleepers[slot.number] != nil }
        return interest(fd)?.waiters.contains {
            $0.waiter.number == slot.number && $0.deadline == slot.deadline
        } ?? false
    }

    /// Returns whether a waiter with a handler still waits.
    func isWaiting(_ waiter: Waiter) -> Bool {
        waiter.fd.flatMap { interest($0)?.index(of: waiter.number) } != nil
    }

    /// Returns whether a waiter with a handler still waits until this deadline.
    func isWaiting(_ waiter: Waiter, until deadline: MonotonicInstant?) -> Bool {
        waiter.fd.flatMap { interest($0) }?.waiters.contains {
            $0.waiter.number == waiter.number && $0.deadline == deadline
        } ?? false
    }

    private func interest(_ fd: CInt) -> Interest? {
        interests.indices.contains(Int(fd)) ? interests[Int(fd)] : nil
    }

    // MARK: Waiters

    /// Adds a waiter and arms its descriptor in `epoll`. Returns 0, or an `errno` if the waiter was
    /// not added.
    mutating func add(
        _ waiter: Waiter, until deadline: MonotonicInstant?, of epoll: CInt
    ) -> CInt {
        guard let fd = waiter.fd else {
            sleepers[waiter.number] = waiter
            waiterCount += 1
            return 0
        }
        let index = Int(fd)
        guard index >= 0 else { return EBADF }
        while interests.count <= index { interests.append(nil) }
        if interests[index] == nil {
            lastGeneration &+= 1
            interests[index] = Interest(generation: lastGeneration)
        }
        guard arm(fd, for: waiter.events, of: epoll) else {
            let error = errno
            if interests[index]?.waiters.isEmpty == true, interests[index]?.isRegistered == false {
                interests[index] = nil
            }
            return error
        }
        interests[index]?.waiters.append(Waiting(waiter: waiter, deadline: deadline))
        waiterCount += 1
        if waiter.handler != nil { handlerCount += 1 }
        return 0
    }

    /// Adds the deadline of a waiter. Returns `true` if the polling thread must be woken because
    /// this deadline is earlier than the one for which it sleeps.
    mutating func enter(_ deadline: MonotonicInstant, of waiter: Waiter) -> Bool {
        if deadlines.count > 2 * waiterCount + 64 {
            var pending = deadlines
            pending.compact { isWaiting($0) }
            deadlines = pending
        }
        deadlines.insert(
            deadline, token: Slot(number: waiter.number, fd: waiter.fd, deadline: deadline))
        guard isAsleep, sleepsUntil.map({ deadline < $0 }) ?? true else { return false }
        return wake()
    }

    /// Changes the deadline of a waiter with a handler, if it still waits. `hasPassed` means that
    /// the old deadline has passed and is no longer in the heap, so an equal deadline is added
    /// again. Returns whether the polling thread must be woken. The polling thread itself ignores
    /// the result.
    mutating func renew(
        _ waiter: Waiter, until deadline: MonotonicInstant?, hasPassed: Bool
    ) -> Bool {
        guard let fd = waiter.fd, interests.indices.contains(Int(fd)),
            let index = interests[Int(fd)]?.index(of: waiter.number),
            hasPassed || interests[Int(fd)]?.waiters[index].deadline != deadline
        else { return false }
        interests[Int(fd)]?.waiters[index].deadline = deadline
        guard let deadline else { return false }
        return enter(deadline, of: waiter)
    }

    /// Moves the deadlines of a descriptor's waiters with a handler to `now`. Returns whether the
    /// polling thread must be woken.
    mutating func interrupt(_ fd: CInt, at now: MonotonicInstant) -> Bool {
        let waiters = interest(fd)?.waiters.map(\.waiter) ?? []
        return waiters.reduce(false) { mustWake, waiter in
            guard waiter.handler != nil else { return mustWake }
            return renew(waiter, until: now, hasPassed: false) || mustWake
        }
    }

    /// Removes a waiter by its number; `fd` is `nil` for a waiter without a descriptor. Returns
    /// `nil` if it no longer waits.
    mutating func remove(_ number: UInt64, of fd: CInt?) -> Waiter? {
        var waiter: Waiter?
        if let fd {
            guard interests.indices.contains(Int(fd)) else { return nil }
            waiter = interests[Int(fd)]?.remove(number)
        } else {
            waiter = sleepers.removeValue(forKey: number)
        }
        if waiter != nil { waiterCount -= 1 }
        if waiter?.handler != nil { handlerCount -= 1 }
        return waiter
    }

    mutating func removeAll() -> [Waiter] {
        var all = Array(sleepers.values)
        sleepers.removeAll()
        for index in interests.indices {
            all += (interests[index]?.waiters ?? []).map(\.waiter)
            interests[index]?.waiters.removeAll()
        }
        (waiterCount, handlerCount) = (0, 0)
        return all
    }

    mutating func forget(_ fd: CInt, of epoll: CInt) -> [Waiter] {
        guard let interest = interest(fd) else { return [] }
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nil)
        interests[Int(fd)] = nil
        let waiters = interest.waiters.map(\.waiter)
        waiterCount -= waiters.count
        handlerCount -= waiters.count { $0.handler != nil }
        return waiters
    }

    // MARK: The thread's steps

    /// Appends the next jobs, at most `most`, to `runnable`, and the waiters whose deadline has
    /// passed to `due`. Returns the timeout in milliseconds for `epoll_wait`: 0 if there is work,
    /// -1 for no timeout. If `alarm` is not `nil`, the caller must wake the thread at that time,
    /// because the poller does not use the system's clock.
    ///
    /// If there are no other jobs, and in every sixteenth step, a few low-priority jobs are chosen
    /// instead; `isLow` is then `true`.
    mutating func nextStep(
        jobs runnable: inout [UnownedJob], atMost most: Int, due: inout [PollerEvent],
        _ time: PollerTime
    ) -> (timeout: CInt, isRunning: Bool, alarm: MonotonicInstant?, isLow: Bool) {
        // `removeAll` takes time even if the array is empty.
        if !runnable.isEmpty { runnable.removeAll(keepingCapacity: true) }
        stepsWithoutLowPriority = lowPriorityJobs.isEmpty ? 0 : stepsWithoutLowPriority + 1
        let isLow = !lowPriorityJobs.isEmpty && (jobs.isEmpty || stepsWithoutLowPriority >= 16)
        if isLow {
            stepsWithoutLowPriority = 0
            Self.move(&lowPriorityJobs, to: &runnable, atMost: max(1, most / 16))
        } else if !jobs.isEmpty {
            Self.move(&jobs, to: &runnable, atMost: most)
        }
        guard failure == nil else { return (0, false, nil, isLow) }
        let now = deadlines.isEmpty ? nil : time.now()
        var next: MonotonicInstant?
        while let now, let first = earliestDeadline() {
            guard first.instant <= now else {
                next = first.instant
                break
            }
            deadlines.removeFirst()
            guard let waiter = takeDue(first.token) else { continue }
            due.append(
                PollerEvent(waiter: waiter, readiness: .timedOut, passedDeadline: first.instant))
        }
        guard runnable.isEmpty, due.isEmpty else { return (0, true, nil, isLow) }
        isAsleep = true
        sleepsUntil = next
        guard let now, let next else { return (-1, true, nil, false) }
        guard time.isSystem else { return (-1, true, next, false) }
        return (Self.milliseconds(now.duration(to: next)), true, nil, false)
    }

    private static func move(
        _ jobs: inout [UnownedJob], to runnable: inout [UnownedJob], atMost most: Int
    ) {
        guard jobs.count > most else { return swap(&jobs, &runnable) }
        runnable += jobs[..<most]
        jobs.removeFirst(most)
    }

    /// Returns the waiter whose deadline has passed, and removes it if it waits for no descriptor.
    /// Returns `nil` if it no longer waits.
    private mutating func takeDue(_ slot: Slot) -> Waiter? {
        guard let fd = slot.fd else { return remove(slot.number, of: nil) }
        return interest(fd)?.waiters.first { $0.waiter.number == slot.number }?.waiter
    }

    /// Appends the waiters for an epoll event to `ready`, and removes those without a handler.
    /// `key` is the value that was stored in epoll for the descriptor. Arms the descriptor again
    /// for the remaining waiters.
    mutating func takeReady(
        _ key: UInt64, _ events: UInt32, of epoll: CInt, into ready: inout [PollerEvent]
    ) {
        let fd = CInt(truncatingIfNeeded: key & 0xffff_ffff)
        let index = Int(fd)
        guard interests.indices.contains(index),
            let (generation, staysArmed) = interests[index].map({ ($0.generation, $0.staysArmed) }),
            UInt64(generation) == key >> 32
        else { return }
        if !staysArmed { interests[index]?.armed = 0 }
        let count = ready.count
        let hangup = EPOLLHUP.rawValue | EPOLLERR.rawValue
        let readiness = events & hangup != 0 ? Readiness.hungUp : .ready
        interests[index]?.waiters.removeAll { waiting in
            let waiter = waiting.waiter
            guard events & (waiter.events | hangup) != 0 else { return false }
            ready.append(PollerEvent(waiter: waiter, readiness: readiness))
            guard waiter.handler == nil else { return false }
            waiterCount -= 1
            return true
        }
        if staysArmed, ready.count == count { disarm(fd, of: epoll) }
        _ = arm(fd, for: 0, of: epoll)
    }

    /// Removes a descriptor from epoll after an event without a waiter.
    private mutating func disarm(_ fd: CInt, of epoll: CInt) {
        // An empty event mask is not enough: epoll always reports hang-ups of a registered
        // descriptor.
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nil)
        let index = Int(fd)
        interests[index]?.isRegistered = false
        interests[index]?.armed = 0
        interests[index]?.staysArmed = false
        interests[index]?.oneShotWaits = Self.oneShotWaits
    }

    /// Arms a descriptor for `events` and for the events of all its waiters, unless it is already
    /// armed for them. Returns `false` and sets `errno` on failure.
    private mutating func arm(_ fd: CInt, for events: UInt32, of epoll: CInt) -> Bool {
        guard let interest = interest(fd) else { return false }
        let wanted = interest.waiters.reduce(events) { $0 | $1.waiter.events }
        guard wanted & ~interest.armed != 0 else { return true }
        let staysArmed = wanted == EPOLLIN.rawValue && interest.oneShotWaits == 0
        var event = Self.event(
            fd: fd, generation: interest.generation, events: wanted, isOneShot: !staysArmed)
        let operation = interest.isRegistered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        guard epoll_ctl(epoll, operation, fd, &event) == 0 else { return false }
        let index = Int(fd)
        interests[index]?.isRegistered = true
        armCount += 1
        interests[index]?.armed = wanted
        interests[index]?.staysArmed = staysArmed
        interests[index]?.oneShotWaits = max(0, interest.oneShotWaits - 1)
        return true
    }

    private static func event(
        fd: CInt, generation: UInt32, events: UInt32, isOneShot: Bool
    ) -> epoll_event {
        let key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd))
        return epoll_event(
            events: events | (isOneShot ? EPOLLONESHOT.rawValue : 0), data: epoll_data_t(u64: key))
    }

    /// Converts a duration to milliseconds, rounded up so that no task resumes before its deadline.
    private static func milliseconds(_ duration: Duration) -> CInt {
        let (seconds, attoseconds) = duration.components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// A binary heap of deadlines, earliest first. Each deadline has a token that identifies its
/// waiting task.
package struct DeadlineHeap<Token> {
    private struct Entry {
        let instant: MonotonicInstant
        let token: Token
    }

    private var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// The earliest deadline and its token, even if the token's task no longer waits; `nil` if the
    /// heap is empty.
    package var first: (instant: MonotonicInstant, token: Token)? {
        entries.first.map { ($0.instant, $0.token) }
    }

    package mutating func insert(_ instant: MonotonicInstant, token: Token) {
        entries.append(Entry(instant: instant, token: token))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].instant < entries[parent].instant else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the deadlines of tasks that no longer wait, according to `isWaiting`.
    package mutating func compact(where isWaiting: (Token) -> Bool) {
        let kept = entries.filter { isWaiting($0.token) }
        entries.removeAll(keepingCapacity: true)
        for entry in kept { insert(entry.instant, token: entry.token) }
    }

    /// Removes the earliest deadline.
    package mutating func removeFirst() {
        guard !entries.isEmpty else { return }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].instant < entries[smallest].instant { smallest = child }
            }
            guard smallest != parent else { return }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
    }
}

/// The clock of a poller's deadlines.
struct PollerTime: Sendable {
    /// Whether this is the system's clock, so that `epoll_wait`'s timeout can be used.
    let isSystem: Bool
    /// Returns the current instant.
    let now: @Sendable () -> MonotonicInstant
    private let sleep: @Sendable (MonotonicInstant) async throws -> Void

    /// The system's monotonic clock.
    static let system = PollerTime(
        isSystem: true, now: { .now },
        sleep: { try await Task.sleep(for: MonotonicInstant.now.duration(to: $0)) })

    private init(
        isSystem: Bool, now: @escaping @Sendable () -> MonotonicInstant,
        sleep: @escaping @Sendable (MonotonicInstant) async throws -> Void
    ) {
        self.isSystem = isSystem
        self.now = now
        self.sleep = sleep
    }

    /// Creates the time of another clock. The clock's current instant is mapped to the current
    /// `MonotonicInstant`.
    init(_ clock: some Clock<Duration>) {
        let (start, origin) = (clock.now, MonotonicInstant.now)
        self.init(
            isSystem: false, now: { origin + start.duration(to: clock.now) },
            sleep: {
                try await clock.sleep(
                    until: start.advanced(by: origin.duration(to: $0)), tolerance: nil)
            })
    }

    /// Calls `body` in a background task when the clock reaches `instant`. A clock that stands still
    /// retains `body` for ever.
    func wait(until instant: MonotonicInstant, then body: @escaping @Sendable () -> Void) {
        Task(executorPreference: BackgroundExecutor.shared) {
            try? await sleep(instant)  // this task is never cancelled
            body()
        }
    }
}

/// The result of waiting for a descriptor.
package enum Readiness: Equatable, Sendable {
    /// Reading or writing will not block.
    case ready
    /// The other side has disconnected, or the device was unplugged. Bytes received before may
    /// still be readable.
    case hungUp
    /// The deadline has passed.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// The descriptor was closed, or its poller was stopped.
    case closed
    /// The descriptor cannot be watched; the value is an `errno`.
    case failed(CInt)
}
