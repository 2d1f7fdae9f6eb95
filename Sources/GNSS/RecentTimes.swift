// SPDX-License-Identifier: MIT

/// The instants published last, so that none is published twice; and the period between them.
struct RecentTimes: Sendable {
    private static let capacity = 4

    private var times: [TimeOfDay] = []
    private var nextIndex = 0
    private(set) var period: Int64?

    init() {
        times.reserveCapacity(Self.capacity)
    }

    mutating func append(_ time: TimeOfDay) {
        if let last {
            let step = time.nanoseconds(since: last)
            period = step > 0 ? step : nil
        }
        if times.count < Self.capacity {
            times.append(time)
        } else {
            times[nextIndex] = time
        }
        nextIndex = (nextIndex + 1) % Self.capacity
    }

    func contains(_ time: TimeOfDay, within tolerance: Int64) -> Bool {
        times.contains { abs(time.nanoseconds(since: $0)) < tolerance }
    }

    private var last: TimeOfDay? {
        times.isEmpty ? nil : times[(nextIndex + Self.capacity - 1) % Self.capacity]
    }
}
