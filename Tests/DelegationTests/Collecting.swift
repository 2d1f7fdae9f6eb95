// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Glibc
import Testing

/// Returns all values of a stream.
func collect<Element>(_ stream: EventStream<Element>) async -> [Element] {
    await collect(.max, of: stream)
}

/// Returns the first `count` values of a stream.
func collect<Element>(_ count: Int, of stream: EventStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream {
        elements.append(element)
        if elements.count == count { break }
    }
    return elements
}

/// Checks that no host, proxy or log of a test is alive when the test has ended.
///
/// Runs each test `GPSBRIDGE_REPETITIONS` times in one process. Default: once.
struct LeavesNothing: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for _ in 0..<Repeated.count { try await runOnce(function) }
    }

    private func runOnce(_ function: @concurrent () async throws -> Void) async throws {
        let counts = LiveCounts()
        try await LiveCounts.$current.withValue(counts, operation: function)
        ProxyStorage.sweep()
        // A task may release its references shortly after its result has arrived.
        let none = Promise<Void>()
        counts.whenZero { none.fulfill(()) }
        // The test's time limit ends the wait for objects that are never released.
        do {
            try await none.value
        } catch {
            Issue.record("objects still alive: \(counts.count)")
        }
    }
}

extension Trait where Self == LeavesNothing {
    /// No host, proxy or log, and so no observer of one, may outlive its test.
    static var leavesNothing: Self { LeavesNothing() }
}

/// Counts the objects of one test that are alive. Tests that run at the same time have their own.
final class LiveCounts: Sendable {
    /// The counts of the current test; inherited by its tasks and by `onThreads`.
    @TaskLocal static var current: LiveCounts?

    private struct State {
        var count = 0
        var waiters: [@Sendable () -> Void] = []

        mutating func dueWaiters() -> [@Sendable () -> Void] {
            guard count == 0 else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Locked(State())

    /// The number of objects that are alive.
    var count: Int { state.withLock { $0.count } }

    /// Calls `body` once when no object is alive, which may be now.
    func whenZero(_ body: @escaping @Sendable () -> Void) {
        let due = state.withLock { state in
            state.waiters.append(body)
            return state.dueWaiters()
        }
        for body in due { body() }
    }

    fileprivate func change(by difference: Int) {
        let due = state.withLock { state in
            state.count += difference
            return state.dueWaiters()
        }
        for body in due { body() }
    }
}

/// A stored property that counts its owner in the test that created it.
struct LiveToken: ~Copyable, Sendable {
    private let counts = LiveCounts.current

    init() { counts?.change(by: 1) }

    deinit { counts?.change(by: -1) }
}

/// A thread-safe list of entries in the order they were added.
final class Log<Entry: Sendable>: Sendable {
    private let stored = Locked<[Entry]>([])
    private let live = LiveToken()

    var entries: [Entry] { stored.withLock { $0 } }
    var count: Int { stored.withLock { $0.count } }

    func append(_ entry: Entry) {
        stored.withLock { $0.append(entry) }
    }
}

/// A thread-safe variable that closures may share.
final class Shared<Value: Sendable>: Sendable {
    private let stored: Locked<Value>

    init(_ value: Value) { stored = Locked(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    func update(_ change: (inout Value) -> Void) {
        stored.withLock { change(&$0) }
    }

    func take() -> Value where Value: ExpressibleByNilLiteral {
        stored.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

/// An object that runs a closure in its deinit.
final class Returning: PanelDelegate, Sendable {
    private let onDeinit: @Sendable () -> Void

    init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

    deinit { onDeinit() }
}

/// Releases its closures without running them.
struct NeverExecutor: CallbackExecutor {
    func execute(_ work: @escaping @Sendable () -> Void) {}
}

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
