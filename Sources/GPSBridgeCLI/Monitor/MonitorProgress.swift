// SPDX-License-Identifier: MIT
import Delegation
import Glibc
import Synchronization

/// What a monitor waits for: enough fixes, printed or on the screen, or the end of all sources.
final class MonitorProgress: Sendable {
    /// Settled when nothing more is to be printed: what has been is whole, with a status other than success or `nil`.
    let end = Promise<ExitStatus?>()

    private let remaining: Mutex<Remaining>

    /// What is to come.
    struct Remaining {
        /// Fixes or sentences; `nil` for all that come.
        fileprivate var count: Int?
        /// Sources that have not ended.
        fileprivate var sources: Int
        /// The status of those that have ended without success; a failure comes first.
        fileprivate var status: ExitStatus?
        fileprivate let end: Promise<ExitStatus?>
    }

    /// Waits for `count` fixes or sentences of some sources, or for the end of all of them.
    init(count: Int?, sources: Int) {
        remaining = Mutex(Remaining(count: count, sources: sources, end: end))
    }

    /// Calls `body` for one source at a time, unless there is nothing to wait for any more.
    func update(_ body: (inout Remaining) -> Void) {
        remaining.withLock { if end.isPending { body(&$0) } }
    }

    /// Reports missing fixes; call it when the run has been cancelled.
    ///
    /// Throws an `ExitStatus` where the time given is over, and fixes are missing or a source has failed.
    func cancelled() throws {
        guard Signals.received == SIGALRM else { return }
        let status = remaining.withLock { $0.missing("the time is over") ?? $0.status }
        if let status { throw status }
    }
}

extension MonitorProgress.Remaining {
    /// Counts a fix, or a sentence.
    mutating func countOne() {
        guard let count else { return }
        self.count = count - 1
        if count <= 1 { end.fulfill(nil) }
    }

    /// Ends it with an error.
    func fail(_ error: any Error) {
        end.reject(error)
    }

    /// Notes that a source has ended, and a status other than success; the other sources go on.
    mutating func ended(_ device: String, _ status: ExitStatus?) {
        self.status = [self.status, status].compactMap { $0 }.min { $0.code < $1.code }
        sources -= 1
        guard sources == 0 else { return }
        end.fulfill(self.status ?? missing("\(device) has ended"))
    }

    /// Reports how many fixes or sentences are missing; `nil` where none are.
    fileprivate func missing(_ event: String) -> ExitStatus? {
        guard let count, count > 0 else { return nil }
        MonitorPrinter.say("\(event), and \(count) more were to come")
        return .nothingFound
    }
}
