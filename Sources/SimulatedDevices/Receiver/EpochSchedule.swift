// SPDX-License-Identifier: MIT

/// The times of a receiver's epochs.
struct EpochSchedule: Sendable {
    private var base = 0.0
    private var index = 0
    private(set) var rate: Double
    /// An epoch off the grid.
    private var extra: Double?

    init(rate: Double) { self.rate = rate }

    /// The time of the next epoch in seconds after the first one.
    var due: Double { min(extra ?? .infinity, onGrid) }

    private var onGrid: Double { base + Double(index) / rate }

    /// Goes on to the epoch after the next one.
    mutating func advance() {
        if let extra, extra < onGrid { return self.extra = nil }
        index += 1
    }

    /// Changes the time between epochs; the next one is at a multiple of it after `seconds`.
    mutating func change(period: Double, at seconds: Double) {
        rate = 1 / period
        // The margin is for rounding.
        base = ((seconds / period + 1e-9).rounded(.down) + 1) * period
        index = 0
    }

    /// Adds an epoch off the grid.
    mutating func add(at seconds: Double) {
        if seconds < onGrid { extra = seconds }
    }
}
