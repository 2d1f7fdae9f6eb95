// SPDX-License-Identifier: MIT
import Delegation
import Glibc

/// What a monitor waits for: that enough is printed, or that all sources have ended.
struct MonitorProgress {
    /// Settled when nothing more is to be printed.
    let end = Promise<Void>()

    private var remaining: Int?
    private var goingOn: Int
    private var status: ExitStatus?

    /// Waits for `count` fixes or sentences of some sources, or for the end of all of them.
    init(count: Int?, sources: Int) {
        remaining = count
        goingOn = sources
    }

    /// Counts what has been printed.
    mutating func printed() {
        guard let count = remaining else { return }
        remaining = count - 1
        if count <= 1 { end.fulfil(()) }
    }

    /// Ends it with an error.
    func fail(_ error: any Error) {
        end.reject(error)
    }

    /// Notes that a source has ended, and a status other than success; the other sources go on.
    mutating func ended(_ device: String, _ status: ExitStatus?) {
        self.status = self.status ?? status
        goingOn -= 1
        guard goingOn == 0 else { return }
        do {
            if let status = self.status { throw status }
            try check("\(device) has ended")
            end.fulfil(())
        } catch {
            end.reject(error)
        }
    }

    /// Reports missing fixes; call it when the run has been cancelled.
    ///
    /// Throws an `ExitStatus` where fixes are missing and the time given is over.
    func cancelled() throws {
        if Signals.received == SIGALRM { try check("the time is over") }
    }

    private func check(_ event: String) throws {
        guard let remaining, remaining > 0 else { return }
        StandardError.say("\(event), and \(remaining) more were to come", limit: 100)
        throw ExitStatus.nothingFound
    }
}
