// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// Runs a user's shell command when an alarm begins or ends. Its standard input is empty, and its
/// output is discarded.
///
/// The shell gets the state as `$1`, the device as `$2`, the reasons as `$3` and the kind of alarm
/// as `$4`. The command for a change waits until the previous one has ended, for at most ten
/// seconds. So a siren or a command that hangs does not hold back the next alarm. Commands that
/// still run when the program ends get two more seconds, and are then ended.
enum AlarmCommand {
    /// The maximum time for which the next command, or the end of `run`, waits for a command that
    /// is still running.
    private static let limit = Duration.seconds(10)
    /// The time that commands have after the end of the program, because they may be sending a
    /// message.
    private static let finalLimit = Duration.seconds(2)
    /// The maximum number of commands that run at the same time. To start another, the oldest is
    /// ended.
    private static let maximumRunning = 8

    /// Runs `command` whenever an alarm of a receiver begins or ends, while `body` runs. If the
    /// commands for some changes have not begun when it ends, or the last alarm reports the end of the
    /// input, waits until all commands have ended: for at most ten seconds, and not after a signal
    /// has cancelled the task.
    static func run(_ command: String, while body: () async throws -> Void) async throws {
        let queue = ChangeQueue()
        let subscription = ReceiverPool.shared.alarmChanges.observe { queue.add($0) }
        let task = Task(executorPreference: BackgroundExecutor.shared) {
            await run(command, for: queue)
        }
        var isInterrupted = false
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            isInterrupted = error is CancellationError
            result = .failure(error)
        }
        subscription.dispose()
        if queue.finish(), !isInterrupted { await wait(for: task) }
        task.cancel()
        // This task may be cancelled, and would not wait.
        await Task(executorPreference: BackgroundExecutor.shared) { await end(task.value) }.value
        try result.get()
    }

    /// Ends commands that still run after `finalLimit`.
    private static func end(_ commands: [ChildProcess]) async {
        guard commands.contains(where: \.isRunning) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for command in commands { _ = await command.status() } }
            group.addTask {
                _ = await Poller.shared.sleep(until: Poller.shared.now + finalLimit)
            }
            await group.next()
            group.cancelAll()
        }
        let running = commands.filter(\.isRunning)
        guard !running.isEmpty else { return }
        for command in running { command.end() }
        StandardError.print(
            "the alarm command was still running, and was ended", limit: 0, level: .warning)
    }

    /// Runs `command` for each change. Returns the commands that may still run.
    private static func run(_ command: String, for queue: ChangeQueue) async -> [ChildProcess] {
        var running: [ChildProcess] = []
        var reported: Set<CInt> = []
        for await change in queue.changes {
            running.removeAll { !$0.isRunning }
            if running.count >= maximumRunning { running.removeFirst().end() }
            let process = start(command, change)
            // Until then, the end of `body` waits for this change.
            queue.didTake()
            guard let process else { continue }
            running.append(process)
            let status = await status(of: process)
            guard !Task.isCancelled, status != 0, reported.insert(status ?? -1).inserted else {
                continue
            }
            report(status)
        }
        return running
    }

    /// Waits until a task has ended, for at most `limit`.
    private static func wait(for task: Task<[ChildProcess], Never>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await task.value }
            group.addTask {
                _ = await Poller.shared.sleep(until: Poller.shared.now + limit)
            }
            await group.next()
            task.cancel()
            group.cancelAll()
        }
    }

    private static func start(_ command: String, _ change: AlarmChange) -> ChildProcess? {
        let reasons = change.reasons.joined(separator: "; ")
        let words = [
            // The output goes to /dev/null: programs that the command starts may write even after
            // the pipe has been closed.
            "sh", "-c", "exec >/dev/null\n\(command)", "gpsbridge", change.state, change.device,
            reasons, change.kind.rawValue,
        ]
        do throws(IOError) {
            return try ChildProcess("/bin/sh", words, poller: .shared)
        } catch {
            StandardError.report("\(DeviceError(error))", limit: 0, level: .error)
            return nil
        }
    }

    /// Returns the exit status of a command; `nil` if it still runs after `limit`.
    private static func status(of process: ChildProcess) async -> CInt? {
        await withTaskGroup(of: CInt?.self) { group in
            group.addTask { await process.status() }
            group.addTask {
                _ = await Poller.shared.sleep(until: Poller.shared.now + limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private static func report(_ status: CInt?) {
        let problem =
            switch status {
            case nil: "is still running after ten seconds: the next alarm does not wait for it"
            case 126: "ended with status 126: a program cannot be executed"
            case 127: "ended with status 127: a program was not found"
            case let status?: "ended with status \(status)"
            }
        StandardError.report("the alarm command \(problem)", limit: 0, level: .warning)
    }
}

/// The alarm changes for which the command has not run yet. At most eight are kept; the oldest are
/// dropped.
private final class ChangeQueue: Sendable {
    /// The changes, in order.
    let changes: AsyncStream<AlarmChange>
    private let continuation: AsyncStream<AlarmChange>.Continuation
    private let state = Mutex(State())

    private struct State {
        /// The number of changes that wait in the stream.
        var waiting = 0
        /// Whether the last change reports the end of the input.
        var isInputOver = false
    }

    init() {
        (changes, continuation) = AsyncStream.makeStream(
            of: AlarmChange.self, bufferingPolicy: .bufferingNewest(8))
    }

    func add(_ change: AlarmChange) {
        state.withLock { state in
            state.isInputOver = change.isInputOver
            // If the oldest change is dropped, the number stays the same.
            if case .enqueued = continuation.yield(change) { state.waiting += 1 }
        }
    }

    /// Records that a change has been taken from the stream.
    func didTake() { state.withLock { $0.waiting -= 1 } }

    /// Ends the stream after the waiting changes. Returns whether there are any, or the last change
    /// reports the end of the input.
    func finish() -> Bool {
        continuation.finish()
        return state.withLock { $0.waiting > 0 || $0.isInputOver }
    }
}
