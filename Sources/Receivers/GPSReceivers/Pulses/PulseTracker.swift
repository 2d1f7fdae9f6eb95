// SPDX-License-Identifier: MIT

/// One query of a line's level. Times are nanoseconds of the monotonic clock.
package struct LineReading: Hashable, Sendable {
    /// The time before the query.
    package let start: Int64
    /// The time after the query. The level was read between both.
    package let end: Int64
    /// Whether the line has its level during a pulse.
    package let isActive: Bool

    /// Creates a reading.
    package init(start: Int64, end: Int64, isActive: Bool) {
        (self.start, self.end, self.isActive) = (start, end, isActive)
    }

    fileprivate var middle: Int64 { start &+ (end &- start) / 2 }
}

/// Finds the leading edges of pulses by asking for a line's level: rarely until an edge is seen,
/// then without a pause around the time at which the next one is expected.
///
/// The caller reads the level at `next(after:)` and passes it to `receive(_:)`. An edge lies
/// between the last reading before it and the first one after it, however late a thread wakes or
/// a query returns, so its uncertainty is known.
package struct PulseTracker: Sendable {
    /// A leading edge. Times are nanoseconds of the monotonic clock.
    package struct Edge: Hashable, Sendable {
        package let time: Int64
        /// The largest difference between `time` and the true time of the edge.
        package let uncertainty: Int64
    }

    private static let second: Int64 = 1_000_000_000
    /// The number of readings in a second until an edge is seen.
    private static let searchRate: Int64 = 64
    /// The number of readings in a second after pulses have been missing for long. It finds pulses
    /// of 32 ms at once, and costs less than a thousandth of a processor.
    private static let idleRate: Int64 = 32
    private static let missLimit = 10
    private static let widthCount = 31
    private static let longestWindow: Int64 = 2_500_000
    private static let largestLateness: Int64 = 2_000_000
    /// The largest deviation of a second by the monotonic clock: 500 ppm.
    private static let largestDrift: Int64 = 500_000

    private var previous: LineReading?
    /// The time of the next edge; `nil` until an edge has been seen.
    private var expected: Int64?
    /// The level is read from this long before `expected` until this long after it.
    private var halfWindow: Int64 = 0
    private var isInWindow = false
    /// The time at which the window's first reading was planned.
    private var opening: Int64?
    /// Whether the last edge was found within a window.
    private var isLocked = false
    private var period = second
    private var searchCount: Int64 = 0
    private var nextSearch: Int64 = 0
    /// The widths of the last brackets around edges.
    private var widths = RecentValues(widthCount)
    private var misses = 0

    /// How late this thread is usually woken, in nanoseconds. Windows open earlier by as much.
    package private(set) var lateness: Int64 = 0

    /// Creates a tracker that searches for edges.
    package init() {}

    /// The usual time between two readings around an edge, in nanoseconds; `nil` before the first
    /// edge.
    package var spacing: Int64? { widths.median.map { $0 / 2 } }

    /// Returns the time of the next reading; `now` if it is due.
    package mutating func next(after now: Int64) -> Int64 {
        guard let expected else { return max(now, nextSearch) }
        let start = expected &- halfWindow &- lateness
        guard now < start else {
            opening = opening ?? start
            return now
        }
        guard isLocked && misses == 0 || nextSearch >= start else { return max(now, nextSearch) }
        opening = start
        return start
    }

    /// Processes a reading. Returns an edge if its time is certain enough.
    package mutating func receive(_ reading: LineReading) -> Edge? {
        let before = previous
        previous = reading
        guard reading.start <= reading.end, before.map({ $0.end <= reading.start }) ?? true else {
            previous = nil
            return nil
        }
        planSearch(after: reading)
        let wasInWindow = isInWindow
        noteWindow(reading)
        if let before, !before.isActive, reading.isActive {
            let width = reading.end &- before.start
            // Within a second there may be another edge.
            if width < Self.second {
                return found(before, reading, width, isFine: wasInWindow)
            }
        }
        skipMissed(at: reading.start)
        return nil
    }

    private mutating func planSearch(after reading: LineReading) {
        let spacing = Self.second / (misses > Self.missLimit ? Self.idleRate : Self.searchRate)
        searchCount &+= 1
        // No short pulse stays hidden between the readings of each second.
        let shift = searchCount % Self.searchRate == 0 ? spacing * 618 / 1000 : 0
        nextSearch = reading.start &+ spacing &+ shift
    }

    private mutating func noteWindow(_ reading: LineReading) {
        guard let expected, !isInWindow, let planned = opening,
            reading.start >= expected &- halfWindow &- lateness
        else { return }
        isInWindow = true
        let late = min(max(reading.start &- planned, 0), Self.largestLateness)
        lateness = max(late, lateness &- lateness / 16)
    }

    private mutating func found(
        _ before: LineReading, _ after: LineReading, _ width: Int64, isFine: Bool
    ) -> Edge? {
        let time = before.middle &+ (after.middle &- before.middle) / 2
        defer { closeWindow() }
        misses = 0
        guard isFine, let expected else {
            self.expected = time &+ Self.second
            halfWindow = width / 2 &+ Self.largestDrift
            (isLocked, period) = (false, Self.second)
            return nil
        }
        let isUsual = widths.median.map { width <= 4 * $0 } ?? true
        widths.append(width)
        let error = time &- expected
        if !isLocked {
            (isLocked, self.expected) = (true, time &+ period)
            halfWindow = min(halfWindow, 1_000_000 &+ 8 * width)
        } else if width <= halfWindow {
            let limit = Self.largestDrift
            period = min(max(period &+ error / 16, Self.second - limit), Self.second + limit)
            self.expected = expected &+ period &+ error / 2
            halfWindow = max(halfWindow &- halfWindow / 32, 4 * width, 2 * abs(error))
        } else {
            self.expected = expected &+ period
        }
        guard isUsual else { return nil }
        let uncertainty = max(time &- before.start, after.end &- time)
        return Edge(time: time, uncertainty: uncertainty)
    }

    private mutating func closeWindow() {
        (isInWindow, opening) = (false, nil)
    }

    /// Counts the pulses that were expected before a reading, and were not found.
    private mutating func skipMissed(at now: Int64) {
        guard let expected else {
            misses = min(misses + (searchCount % Self.searchRate == 0 ? 1 : 0), 1000)
            return
        }
        let late = now &- expected &- halfWindow
        guard late > 0 else { return }
        let count = late / period + 1
        closeWindow()
        self.expected = expected &+ count &* period
        misses = Int(min(Int64(misses) &+ count, 1000))
        let limit = max(Self.longestWindow, 25 * (widths.median ?? 0), halfWindow)
        halfWindow = min(halfWindow &+ halfWindow / 4 &+ 50_000, limit)
        guard misses >= Self.missLimit else { return }
        (self.expected, isLocked, period) = (nil, false, Self.second)
        (widths, misses) = (RecentValues(Self.widthCount), 0)
    }
}

/// The last values of a series, and their median.
package struct RecentValues: Sendable {
    private let capacity: Int
    private var values: [Int64] = []
    private var position = 0
    /// The median; `nil` without values.
    package private(set) var median: Int64?

    /// Creates an empty series that keeps `capacity` values.
    package init(_ capacity: Int) { self.capacity = capacity }

    package var count: Int { values.count }

    package mutating func append(_ value: Int64) {
        if values.count < capacity {
            values.append(value)
        } else {
            values[position] = value
            position = (position + 1) % capacity
        }
        median = Self.median(values)
    }

    /// The median of the absolute deviations from the median; `nil` without values.
    package var deviation: Int64? {
        median.flatMap { center in Self.median(values.map { abs($0 - center) }) }
    }

    private static func median(_ values: [Int64]) -> Int64? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
