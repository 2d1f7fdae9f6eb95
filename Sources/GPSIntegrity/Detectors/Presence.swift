// SPDX-License-Identifier: MIT
import GNSS

/// Detects that a value that a receiver reported in every epoch is now missing.
struct Presence: Sendable {
    /// The time for which the absence of a value counts as evidence, in seconds.
    private static let recentPeriod = 60.0

    /// The monitor's time since which the value has been reported; `nil` while it is missing.
    private var since: Double?
    /// The monitor's time at which the value was first missing, after it had been reported for long
    /// enough.
    private var end: Double?
    /// The monitor's time at the last epoch.
    private var last: Double?

    init() {}

    /// Adds an epoch. If the value is missing, was reported for at least `duration` seconds before,
    /// and has been missing for less than a minute, returns the seconds since it was first missing;
    /// otherwise `nil`. Epochs before a pause of more than a minute are ignored: a log may continue
    /// with another receiver.
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
