// SPDX-License-Identifier: MIT
import GNSS

/// Whether something that was reported all the time is reported no longer.
struct Presence: Sendable {
    /// Seconds for which its absence is news.
    private static let news = 60.0

    private var since: Double?
    private var end: Double?

    init() {}

    /// Adds an epoch; returns the seconds for which it has been absent, if that is news.
    mutating func add(_ isPresent: Bool, at now: Double, after duration: Double) -> Double? {
        if isPresent {
            if since == nil { since = now }
            end = nil
            return nil
        }
        if let since, now - since >= duration { end = now }
        since = nil
        guard let end, now - end < Self.news else { return nil }
        return now - end
    }
}
