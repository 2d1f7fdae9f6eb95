// SPDX-License-Identifier: MIT
import GNSS

/// The instants published last, so that none is published twice, and the period between them.
struct RecentTimes: Equatable, Sendable {
    private static let capacity = 4

    /// The latest one comes first.
    private var times: [TimeOfDay] = []
    private(set) var period: Int64?

    init() {
        times.reserveCapacity(Self.capacity)
    }

    mutating func append(_ time: TimeOfDay) {
        if let last = times.first {
            let step = time.nanoseconds(since: last)
            period = step > 0 ? step : nil
        }
        if times.count == Self.capacity { times.removeLast() }
        times.insert(time, at: 0)
    }

    func contains(_ time: TimeOfDay, within tolerance: Int64) -> Bool {
        times.contains { abs(time.nanoseconds(since: $0)) < tolerance }
    }
}
