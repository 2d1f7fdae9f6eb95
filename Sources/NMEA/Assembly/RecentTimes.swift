// SPDX-License-Identifier: MIT
import GNSS

/// The most recently published instants, which must not be published again, and the period between
/// them.
struct RecentTimes: Equatable, Sendable {
    private static let capacity = 4
    /// One minute, in nanoseconds.
    private static let maximumPeriod: Int64 = 60_000_000_000

    /// The times of the instants, the latest first.
    private var times: [TimeOfDay] = []
    private(set) var period: Int64?

    init() {
        times.reserveCapacity(Self.capacity)
    }

    mutating func append(_ time: TimeOfDay) {
        if let last = times.first {
            let step = time.nanoseconds(since: last)
            // A longer step is a gap.
            period = 1...Self.maximumPeriod ~= step ? step : nil
        }
        if times.count == Self.capacity { times.removeLast() }
        times.insert(time, at: 0)
    }

    func contains(_ time: TimeOfDay, within tolerance: Int64) -> Bool {
        times.contains { abs(time.nanoseconds(since: $0)) < tolerance }
    }
}
