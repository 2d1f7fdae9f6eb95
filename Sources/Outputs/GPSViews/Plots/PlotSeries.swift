// SPDX-License-Identifier: MIT
import GNSS

/// A quantity over time, in a limited number of steps. Each step contains the minimum, the maximum
/// and the mean, so that peaks remain visible in long recordings.
package struct TimeSeries: Sendable {
    /// The values within one step of time.
    package struct Step: Hashable, Sendable {
        /// The start of the step, in units of `width` from the zero point of the scale.
        fileprivate(set) var index: Int64
        package private(set) var minimum: Double
        package private(set) var maximum: Double
        private var sum: Double
        private var count: Double
        /// Whether the step is not connected with the previous one.
        package fileprivate(set) var beginsSegment: Bool

        fileprivate init(_ index: Int64, _ value: Double, _ beginsSegment: Bool) {
            self.index = index
            (minimum, maximum, sum, count) = (value, value, value, 1)
            self.beginsSegment = beginsSegment
        }

        package var mean: Double { sum / count }

        fileprivate mutating func merge(_ other: Step) {
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            sum += other.sum
            count += other.count
        }
    }

    package static let limit = 1024

    /// The steps in order of time.
    package private(set) var steps: [Step] = []
    /// The width of a step in nanoseconds.
    package private(set) var width: Int64 = 1_000_000
    /// The zero point of the times.
    package private(set) var scale = FixTime.Scale.order
    private var beginsSegment = true
    private var total = (sum: 0.0, count: 0.0)

    package init() {}

    /// The mean of all values; `nil` if there are none.
    package var mean: Double? { total.count > 0 ? total.sum / total.count : nil }

    /// Returns the start of a step in nanoseconds from the zero point of the scale.
    package func start(of step: Step) -> Int64 {
        let (start, overflow) = step.index.multipliedReportingOverflow(by: width)
        guard overflow else { return start }
        return step.index < 0 ? .min : .max
    }

    /// Ends the segment, so that later steps are not connected with earlier ones.
    mutating func endSegment() { beginsSegment = true }

    /// Adds a value. If its time has a less informative scale than earlier ones (such as no date),
    /// the value is dropped. The first value with a more informative scale replaces all earlier
    /// values. A value that is not finite is dropped.
    package mutating func add(_ value: Double, at moment: FixTime) {
        guard value.isFinite, moment.scale >= scale || steps.isEmpty else { return }
        if moment.scale != scale {
            self = TimeSeries()
            scale = moment.scale
        }
        total.sum += value
        total.count += 1
        let step = Step(floorDivided(moment.nanoseconds, width), value, beginsSegment)
        beginsSegment = false
        let end = steps.count - 1
        if end >= 0, step.index == steps[end].index { return steps[end].merge(step) }
        insert(step)
        shorten()
    }

    /// Inserts a step in order of time, nearly always at the end.
    private mutating func insert(_ step: Step) {
        var (low, high) = (0, steps.count)
        if let last = steps.last, last.index < step.index { low = high }
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].index < step.index { low = middle + 1 } else { high = middle }
        }
        if low < steps.count, steps[low].index == step.index {
            steps[low].merge(step)
        } else {
            steps.insert(step, at: low)
        }
    }

    /// If there are more than `limit` steps, doubles their width until at most half of `limit`
    /// remain.
    private mutating func shorten() {
        guard steps.count > Self.limit else { return }
        while steps.count > Self.limit / 2, width < 1 << 60 {
            width *= 2
            var merged: [Step] = []
            for var step in steps {
                step.index >>= 1
                if let last = merged.last, last.index == step.index {
                    merged[merged.count - 1].merge(step)
                } else {
                    merged.append(step)
                }
            }
            steps = merged
        }
    }
}
