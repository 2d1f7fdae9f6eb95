// SPDX-License-Identifier: MIT

/// The instants published last, so that none is published twice; and the period between them.
struct RecentTimes: Sendable {
    /// The latest one first; the first `count` are there.
    private var times = InlineArray<4, Int64>(repeating: 0)
    private var count = 0
    private(set) var period: Int64?
    /// How many steps in a row have led onwards, none of them far: not once around the clock.
    private var stepsOnward = 0
    private static let farthest: Int64 = 3_600_000_000_000

    mutating func append(_ time: TimeOfDay) {
        var times = times.mutableSpan
        if count > 0 {
            let step = time.nanoseconds(since: TimeOfDay(nanoseconds: times[0]))
            period = step > 0 ? step : nil
            let isOnward = step > 0 && step <= Self.farthest
            stepsOnward = isOnward ? min(4, stepsOnward &+ 1) : 0
        }
        times[3] = times[2]
        times[2] = times[1]
        times[1] = times[0]
        times[0] = time.nanoseconds
        count = min(4, count &+ 1)
    }

    func contains(_ time: TimeOfDay, within tolerance: Int64) -> Bool {
        // Time goes on, as nearly always: nothing is as near as the latest.
        if count > 0, stepsOnward >= count &- 1 {
            let step = time.nanoseconds(since: TimeOfDay(nanoseconds: times.span[0]))
            if step >= tolerance, step <= Self.farthest { return false }
        }
        return isAmong(time, within: tolerance)
    }

    @inline(never)
    private func isAmong(_ time: TimeOfDay, within tolerance: Int64) -> Bool {
        let times = times.span
        for index in 0..<count {
            let step = time.nanoseconds(since: TimeOfDay(nanoseconds: times[index]))
            if abs(step) < tolerance { return true }
        }
        return false
    }
}
