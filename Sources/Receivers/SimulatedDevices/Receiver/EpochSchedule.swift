// SPDX-License-Identifier: MIT

/// The times of a receiver's epochs.
struct EpochSchedule: Sendable {
    private var base = 0.0
    private var index = 0
    private(set) var rate: Double
    /// The time of an additional epoch between two regular ones, in seconds after the first epoch;
    /// `nil` for none.
    private var extra: Double?

    init(rate: Double) { self.rate = rate }

    /// The time of the next epoch in seconds after the first one.
    var due: Double { min(extra ?? .infinity, onGrid) }

    private var onGrid: Double { base + Double(index) / rate }

    /// Removes the next epoch from the schedule.
    mutating func advance() {
        if let extra, extra < onGrid { return self.extra = nil }
        index += 1
    }

    /// Changes the time between epochs, in seconds. The next regular epoch is at the first multiple
    /// of `period` after `seconds`.
    mutating func change(period: Double, at seconds: Double) {
        rate = 1 / period
        // The margin allows for rounding errors.
        base = ((seconds / period + 1e-9).rounded(.down) + 1) * period
        index = 0
    }

    /// Adds an additional epoch, if it is before the next regular one.
    mutating func add(at seconds: Double) {
        if seconds < onGrid { extra = seconds }
    }
}
