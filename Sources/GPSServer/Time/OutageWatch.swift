// SPDX-License-Identifier: MIT
package import GNSS

/// Decides when it is reported that something works or fails: at once where it works, and once it has
/// failed for a while; each only once until it changes.
package struct OutageWatch: Sendable {
    /// The duration of a failure before it is reported.
    private let delay: Duration
    private var failedSince: MonotonicInstant?

    /// Whether it works, as last reported; `nil` before the first report.
    package private(set) var works: Bool?

    /// Creates a watch without results.
    package init(delay: Duration) {
        self.delay = delay
    }

    /// Records whether it works now; returns `true` if that must be reported.
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
