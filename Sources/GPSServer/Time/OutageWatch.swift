// SPDX-License-Identifier: MIT
package import GNSS

/// Decides when to report that something works or fails: success at once, a failure after it has
/// lasted for a while, each once per change.
package struct OutageWatch: Sendable {
    /// The time that a failure must last before it is reported.
    private let delay: Duration
    private var failedSince: MonotonicInstant?

    /// Whether it works, as last reported; `nil` if nothing has been reported.
    package private(set) var works: Bool?

    /// Creates a watch in its initial state.
    package init(delay: Duration) {
        self.delay = delay
    }

    /// Records whether it works now; returns whether to report that.
    package mutating func isNews(works now: Bool, at time: MonotonicInstant) -> Bool {
        guard !now else {
            failedSince = nil
            defer { works = true }
            return works != true
        }
        let since = failedSince ?? time
        failedSince = since
        guard works != false, time - since >= delay else { return false }
        works = false
        return true
    }
}
