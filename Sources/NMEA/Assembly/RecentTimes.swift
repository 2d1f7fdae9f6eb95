// SPDX-License-Identifier: MIT
import GNSS

/// The most recently published instants, which must not be published again, the period between
/// them, and how often they are repeated.
struct RecentTimes: Equatable, Sendable {
    private static let capacity = 4
    /// One minute, in nanoseconds.
    private static let maximumPeriod: Int64 = 60_000_000_000

    /// The times of the instants, the latest first.
    private var times: [TimeOfDay] = []
    private(set) var period: Int64?
    /// The number of epochs that have only repeated the latest instant.
    private var repetitions = 0
    /// The number of epochs that repeated the instant before the latest one, at least 1. A receiver
    /// with five fixes per second, and times in whole seconds, repeats each instant.
    private var usualRepetitions = 1
    /// The maximum of `usualRepetitions`: 25 fixes per second.
    private static let maximumRepetitions = 24
    /// One second, in nanoseconds.
    private static let second: Int64 = 1_000_000_000

    init() {
        times.reserveCapacity(Self.capacity)
    }

    mutating func append(_ time: TimeOfDay) {
        if let last = times.first {
            let step = time.nanoseconds(since: last)
            // A longer step is a gap.
            period = 1...Self.maximumPeriod ~= step ? step : nil
            // Before a longer step, the clock had stopped.
            usualRepetitions =
                1...Self.second ~= step ? max(1, min(repetitions, Self.maximumRepetitions)) : 1
        }
        repetitions = 0
        if times.count == Self.capacity { times.removeLast() }
        times.insert(time, at: 0)
    }

    /// Counts an epoch that only repeats an instant. Returns `true` once, when there are twice as
    /// many repetitions as usual: the clock has stopped.
    mutating func countRepetition() -> Bool {
        repetitions += 1
        return repetitions == 2 * usualRepetitions
    }

    func contains(_ time: TimeOfDay) -> Bool { times.contains(where: time.isSameInstant(as:)) }
}

extension TimeOfDay {
    /// The largest difference between two times of the same instant, in nanoseconds. It allows for
    /// times that are rounded differently in different sentences.
    private static let tolerance: Int64 = 10_000_000

    /// Returns whether both are times of the same instant.
    func isSameInstant(as other: TimeOfDay) -> Bool {
        abs(nanoseconds(since: other)) < Self.tolerance
    }
}
