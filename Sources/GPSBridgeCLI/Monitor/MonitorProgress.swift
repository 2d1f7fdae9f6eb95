// SPDX-License-Identifier: MIT
import Delegation
import Glibc
import Synchronization

/// What a monitor waits for: that enough is printed, or that all sources have ended.
final class MonitorProgress: Sendable {
    /// Settled when nothing more is to be printed.
    let end = Promise<Void>()

    private let remaining: Mutex<Remaining>

    /// What is to come.
    struct Remaining {
        /// Fixes or sentences to print; `nil` for all that come.
        fileprivate var count: Int?
        /// Sources that have not ended.
        fileprivate var sources: Int
        /// Why one of those was not a success that have.
        fileprivate var status: ExitStatus?
        fileprivate let end: Promise<Void>
    }

    /// Waits for `count` fixes or sentences of some sources, or for the end of all of them.
    init(count: Int?, sources: Int) {
        remaining = Mutex(Remaining(count: count, sources: sources, end: end))
    }

    /// Prints, one source at a time, unless enough is printed.
    func print(_ body: (inout Remaining) -> Void) {
        remaining.withLock { if end.isPending { body(&$0) } }
    }

    /// Reports missing fixes; call it when the run has been cancelled.
    ///
    /// Throws an `ExitStatus` where fixes are missing and the time given is over.
    func cancelled() throws {
        guard Signals.received == SIGALRM else { return }
        try remaining.withLock { try $0.check("the time is over") }
    }
}

extension MonitorProgress.Remaining {
    /// Counts what has been printed.
    mutating func printed() {
        guard let count else { return }
        self.count = count - 1
        if count <= 1 { end.fulfil(()) }
    }

    /// Ends it with an error.
    func fail(_ error: any Error) {
        end.reject(error)
    }

    /// Notes that a source has ended, and a status other than success; the other sources go on.
    mutating func ended(_ device: String, _ status: ExitStatus?) {
        self.status = self.status ?? status
        sources -= 1
        guard sources == 0 else { return }
        do {
            if let status = self.status { throw status }
            try check("\(device) has ended")
            end.fulfil(())
        } catch {
            end.reject(error)
        }
    }

    fileprivate func check(_ event: String) throws {
        guard let count, count > 0 else { return }
        StandardError.say("\(event), and \(count) more were to come", limit: 100)
        throw ExitStatus.nothingFound
    }
}
