// SPDX-License-Identifier: MIT

/// Detects that a value that a receiver reported in every epoch is now missing.
struct Presence: Sendable {
    /// The time for which the absence of a value counts as evidence, in seconds.
    private static let recentPeriod = 60.0

    /// The `EpochTime.now` since which the value has been reported; `nil` while it is missing.
    private var since: Double?
    /// `EpochTime.now` when the value was first missing after it had been reported for long enough
    /// (`duration` of `add`); `nil` otherwise, and once the value is reported again.
    private var end: Double?
    /// `EpochTime.now` at the last epoch; `nil` before the first epoch.
    private var last: Double?

    /// Adds an epoch. Returns the seconds since the value was first missing. Returns `nil` if the
    /// value is present, if it has been missing for a minute or more, or if it was not reported for
    /// at least `duration` seconds before.
    ///
    /// Epochs before a pause of more than a minute are ignored, because a log may continue with
    /// another receiver.
    mutating func add(_ isPresent: Bool, at now: Double, after duration: Double) -> Double? {
        if let last, now - last > Self.recentPeriod { self = Presence() }
        last = now
        if isPresent {
            if since == nil { since = now }
            end = nil
            return nil
        }
        if let since, now - since >= duration { end = now }
        since = nil
        guard let end, now - end < Self.recentPeriod else { return nil }
        return now - end
    }
}
