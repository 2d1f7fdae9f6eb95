// SPDX-License-Identifier: MIT
package import GNSS

/// Decides when it is reported that something works or fails: at once where it works, and once it has
/// failed for a while; each only once until it changes.
package struct OutageWatch: Sendable {
    /// How long a failure lasts before it is reported.
    private let delay: Duration
    private var failedSince: MonotonicInstant?

    /// Whether it works, as was last reported; `nil` where nothing was.
    package private(set) var works: Bool?

    /// Creates a watch that has seen nothing.
    package init(delay: Duration) {
        self.delay = delay
    }

    /// Notes whether it works now; true where that is to be reported.
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
