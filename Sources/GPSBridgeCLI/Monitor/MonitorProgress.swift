// SPDX-License-Identifier: MIT
import Delegation
import Glibc
import Synchronization

/// The goal of a monitor: a number of fixes, printed or on the screen, or the end of all sources.
final class MonitorProgress: Sendable {
    /// Settled when nothing more is to be printed: what has been is whole, with a status other than success or `nil`.
    let end = Promise<ExitStatus?>()

    private let remaining: Mutex<Remaining>

    /// The fixes and sources still to come.
    private struct Remaining {
        /// Fixes or sentences; `nil` for all that come.
        var count: Int?
        /// Sources that have not ended.
        var sources: Int
        /// The status of those that have ended without success; a failure comes first.
        var status: ExitStatus?
    }

    /// Waits for `count` fixes or sentences of some sources, or for the end of all of them.
    init(count: Int?, sources: Int) {
        remaining = Mutex(Remaining(count: count, sources: sources))
    }

    /// Counts a fix, or a sentence.
    func countOne() {
        let isLast = remaining.withLock { remaining in
            guard let count = remaining.count, count > 0 else { return false }
            remaining.count = count - 1
            return count == 1
        }
        if isLast { end.fulfill(nil) }
    }

    /// Ends it with an error.
    func fail(_ error: any Error) {
        end.reject(error)
    }

    /// Notes that a source has ended, and a status other than success; the other sources continue.
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

    /// Reports missing fixes; call it when the run has been cancelled.
    ///
    /// Throws an `ExitStatus` if the time given is over, and fixes are missing or a source has failed.
    func cancelled() throws {
        guard Signals.received == SIGALRM else { return }
        let last = remaining.withLock { $0 }
        if let status = Self.missing(last, "the time is over") ?? last.status { throw status }
    }

    /// Reports how many fixes or sentences are missing; `nil` if none are.
    private static func missing(_ remaining: Remaining, _ event: String) -> ExitStatus? {
        guard let count = remaining.count, count > 0 else { return nil }
        MonitorPrinter.say("\(event), and \(count) more were to come")
        return .nothingFound
    }
}
