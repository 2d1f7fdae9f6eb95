// SPDX-License-Identifier: MIT
import Delegation
import Glibc
import Synchronization

/// Determines when a monitor ends: after a number of fixes, printed or on the screen, or with its last source.
final class MonitorProgress: Sendable {
    /// Settled at the end, with an exit status other than success or `nil`; all output is complete then.
    let end = Promise<ExitStatus?>()

    private let remaining: Mutex<Remaining>

    /// The remaining fixes and sources.
    private struct Remaining {
        /// The number of fixes or sentences; `nil` for no limit.
        var count: Int?
        /// The number of sources that have not ended.
        var sources: Int
        /// The status of the sources that ended without success; a failure takes precedence.
        var status: ExitStatus?
    }

    /// Waits for `count` fixes or sentences, or until all sources have ended.
    init(count: Int?, sources: Int) {
        remaining = Mutex(Remaining(count: count, sources: sources))
    }

    /// Counts a fix or a sentence.
    func countOne() {
        let isLast = remaining.withLock { remaining in
            guard let count = remaining.count, count > 0 else { return false }
            remaining.count = count - 1
            return count == 1
        }
        if isLast { end.fulfill(nil) }
    }

    /// Ends the monitor with an error.
    func fail(_ error: any Error) {
        end.reject(error)
    }

    /// Counts a source that has ended, with its status unless that is success; other sources continue.
    func ended(_ device: String, _ status: ExitStatus?) {
        let last = remaining.withLock { remaining -> Remaining? in
            remaining.status = [remaining.status, status].compactMap { $0 }
                .min { $0.code < $1.code }
            remaining.sources -= 1
            return remaining.sources == 0 ? remaining : nil
        }
        guard let last else { return }
        end.fulfill(last.status ?? Self.missing(last, "\(device) has ended"))
    }

    /// Reports missing fixes; call it when the task has been cancelled.
    ///
    /// Throws an `ExitStatus` if the duration is over and fixes are missing, or if a source has failed.
    func cancelled() throws {
        guard Signals.received == SIGALRM else { return }
        let last = remaining.withLock { $0 }
        if let status = Self.missing(last, "the time is over") ?? last.status { throw status }
    }

    /// Reports the number of missing fixes or sentences; `nil` if none are missing.
    private static func missing(_ remaining: Remaining, _ event: String) -> ExitStatus? {
        guard let count = remaining.count, count > 0 else { return nil }
        MonitorPrinter.print("\(event), and \(count) more were requested")
        return .nothingFound
    }
}
