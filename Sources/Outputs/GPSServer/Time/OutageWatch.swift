// SPDX-License-Identifier: MIT
package import GNSS

/// Decides when to report that a service works or fails. Success is reported immediately, a failure
/// only after it has lasted for `delay`. The same state is never reported twice in succession.
package struct OutageWatch: Sendable {
    /// The time that a failure must last before it is reported.
    private let delay: Duration
    private var failedSince: MonotonicInstant?

    /// Whether the service works, according to the last report; `nil` before the first report.
    package private(set) var works: Bool?

    /// Creates a watch in its initial state.
    package init(delay: Duration) {
        self.delay = delay
    }

    /// Records whether the service works at `time`. Returns whether to report this.
    package mutating func shouldReport(isWorking now: Bool, at time: MonotonicInstant) -> Bool {
        guard !now else {
            failedSince = nil
            return exchange(&works, with: true) != true
        }
        let since = failedSince ?? time
        failedSince = since
        guard works != false, time - since >= delay else { return false }
        works = false
        return true
    }
}
