// SPDX-License-Identifier: MIT
import CSerial
import Glibc

/// A waiting task and the `epoll` events it waits for.
///
/// Its continuation is unchecked, since one is made for each read: what takes a waiter out of
/// `PollerState` resumes it, and nothing else has it.
struct Waiter {
    let continuation: UnsafeContinuation<Readiness, Never>
    let events: UInt32
    var fd: CInt?

    init(continuation: UnsafeContinuation<Readiness, Never>, events: UInt32) {
        self.continuation = continuation
        self.events = events
    }
}

/// The state of a `Poller`, protected by its lock.
struct PollerState {
    /// A descriptor known to epoll.
    private struct Interest {
        /// Distinguishes the descriptor from an earlier one of the same number in pending events.
        let generation: UInt32
        var tokens: [UInt64] = []
        var armed: UInt32 = 0
        /// Whether epoll knows it at present.
        var isRegistered = true
        /// Whether it stays armed after an event, since the task that waits comes back for the next one.
        var staysArmed = false
        /// How many more waits are for one event only, since one came for which no task waited.
        var oneShotWaits = 0
    }

    /// A task that reads on another thread is never back before the next look at its descriptor.
    private static let oneShotWaits = 64

    /// Set once the poller cannot wait for anything.
    var failure: CInt?
    var jobs: [UnownedJob] = []
    var isAsleep = false
    private(set) var waiters: [UInt64: Waiter] = [:]
    private(set) var armingCount = 0
    private var interests: [CInt: Interest] = [:]
    private var deadlines = DeadlineHeap()
    private var sleepsUntil: ContinuousClock.Instant?
    private var lastGeneration: UInt32 = 0

    /// Marks the thread as awake; returns whether it has to be woken.
    mutating func wake() -> Bool {
        defer { isAsleep = false }
        return isAsleep
    }

    /// The earliest deadline of a task that waits.
    var nextDeadline: ContinuousClock.Instant? {
        mutating get { deadlines.earliest { waiters[$0] != nil }?.instant }
    }

    // MARK: Waiters

    /// Arms the descriptor for one more token; returns 0 or an `errno`.
    mutating func add(_ token: UInt64, events: UInt32, to fd: CInt, of epoll: CInt) -> CInt {
        if interests[fd] == nil {
            lastGeneration &+= 1
            let staysArmed = events == EPOLLIN.rawValue
            var event = Self.event(
                fd: fd, generation: lastGeneration, events: events, isOneShot: !staysArmed)
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 else { return errno }
            armingCount += 1
            interests[fd] = Interest(
                generation: lastGeneration, tokens: [token], armed: events, staysArmed: staysArmed)
            return 0
        }
        interests[fd]?.tokens.append(token)
        guard arm(fd, for: events, of: epoll) else {
            interests[fd]?.tokens.removeAll { $0 == token }
            return errno
        }
        return 0
    }

    /// Adds a waiter; returns whether the thread has to wake because the deadline is earlier than the
    /// one it sleeps until.
    mutating func insert(
        _ waiter: Waiter, token: UInt64, fd: CInt?, until deadline: ContinuousClock.Instant?
    ) -> Bool {
        var waiter = waiter
        waiter.fd = fd
        waiters[token] = waiter
        guard let deadline else { return false }
        if deadlines.count > 2 * waiters.count + 64 {
            deadlines.compact { waiters[$0] != nil }
        }
        deadlines.insert(deadline, token: token)
        guard isAsleep, sleepsUntil.map({ deadline < $0 }) ?? true else { return false }
        return wake()
    }

    mutating func remove(_ token: UInt64) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: token) else { return nil }
        if let fd = waiter.fd { interests[fd]?.tokens.removeAll { $0 == token } }
        return waiter
    }

    mutating func removeAll() -> [Waiter] {
        defer { waiters.removeAll() }
        return Array(waiters.values)
    }

    mutating func forget(_ fd: CInt, of epoll: CInt) -> [Waiter] {
        guard let interest = interests.removeValue(forKey: fd) else { return [] }
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nil)
        return interest.tokens.compactMap { waiters.removeValue(forKey: $0) }
    }

    // MARK: The thread's steps

    /// Returns the jobs to run and the waiters whose deadline has passed; the timeout for `epoll_wait` is
    /// 0 while there may be more. With a clock that is not the system's, the thread has to be woken at
    /// `alarm`.
    mutating func nextStep(
        jobs runnable: inout [UnownedJob], due: inout [Waiter], _ time: PollerTime
    ) -> (timeout: CInt, isRunning: Bool, alarm: ContinuousClock.Instant?) {
        due.removeAll(keepingCapacity: true)
        runnable.removeAll(keepingCapacity: true)
        swap(&jobs, &runnable)
        guard failure == nil else { return (0, false, nil) }
        let now = deadlines.isEmpty ? nil : time.now()
        var next: ContinuousClock.Instant?
        while let now, let first = deadlines.earliest(where: { waiters[$0] != nil }) {
            guard first.instant <= now else {
                next = first.instant
                break
            }
            if let waiter = remove(first.token) { due.append(waiter) }
        }
        guard runnable.isEmpty, due.isEmpty else { return (0, true, nil) }
        isAsleep = true
        sleepsUntil = next
        guard let now, let next else { return (-1, true, nil) }
        guard time.isSystem else { return (-1, true, next) }
        return (Self.milliseconds(now.duration(to: next)), true, nil)
    }

    /// Removes the waiters that an event resumes.
    mutating func settle(
        _ key: UInt64, _ events: UInt32, of epoll: CInt, into ready: inout [(Waiter, Readiness)]
    ) {
        let fd = CInt(truncatingIfNeeded: key & 0xffff_ffff)
        guard let interest = interests[fd], UInt64(interest.generation) == key >> 32 else { return }
        if !interest.staysArmed { interests[fd]?.armed = 0 }
        let count = ready.count
        let hangup = EPOLLHUP.rawValue | EPOLLERR.rawValue
        for token in interest.tokens {
            guard let waiter = waiters[token], events & (waiter.events | hangup) != 0 else {
                continue
            }
            _ = remove(token)
            ready.append((waiter, events & hangup != 0 ? .hungUp : .ready))
        }
        if interest.staysArmed, ready.count == count { disarm(fd, of: epoll) }
        _ = arm(fd, for: 0, of: epoll)
    }

    /// Has no more events of a descriptor reported, for which no task waits.
    private mutating func disarm(_ fd: CInt, of epoll: CInt) {
        // Hang-ups are reported for whatever epoll knows.
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nil)
        interests[fd]?.isRegistered = false
        interests[fd]?.armed = 0
        interests[fd]?.staysArmed = false
        interests[fd]?.oneShotWaits = Self.oneShotWaits
    }

    /// Arms for `events` and those of all waiters; does nothing where they are armed already.
    private mutating func arm(_ fd: CInt, for events: UInt32, of epoll: CInt) -> Bool {
        guard let interest = interests[fd] else { return false }
        let wanted = interest.tokens.reduce(events) { $0 | (waiters[$1]?.events ?? 0) }
        guard wanted & ~interest.armed != 0 else { return true }
        let staysArmed = wanted == EPOLLIN.rawValue && interest.oneShotWaits == 0
        var event = Self.event(
            fd: fd, generation: interest.generation, events: wanted, isOneShot: !staysArmed)
        let operation = interest.isRegistered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        guard epoll_ctl(epoll, operation, fd, &event) == 0 else { return false }
        interests[fd]?.isRegistered = true
        armingCount += 1
        interests[fd]?.armed = wanted
        interests[fd]?.staysArmed = staysArmed
        interests[fd]?.oneShotWaits = max(0, interest.oneShotWaits - 1)
        return true
    }

    private static func event(
        fd: CInt, generation: UInt32, events: UInt32, isOneShot: Bool
    ) -> epoll_event {
        let key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd))
        return epoll_event(
            events: events | (isOneShot ? EPOLLONESHOT.rawValue : 0), data: epoll_data_t(u64: key))
    }

    /// Rounded up, so that no task resumes before its deadline.
    private static func milliseconds(_ duration: Duration) -> CInt {
        let (seconds, attoseconds) = duration.components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
