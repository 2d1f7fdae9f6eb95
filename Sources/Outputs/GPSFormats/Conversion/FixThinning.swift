// SPDX-License-Identifier: MIT
package import GNSS

/// Splits a track into segments at gaps. Omits fixes outside the selection, and fixes that follow
/// the last written one too soon or are too close to it.
package struct FixThinning: Equatable, Sendable {
    /// The decision on one fix.
    package struct Decision: Sendable {
        /// Whether the fix is written.
        package var isWritten = true
        /// Whether the fix begins a segment, because there is a gap before it.
        package var beginsSegment = false
    }

    private let interval: Int64
    private let squaredDistance: Double?
    private var gap: SegmentGap
    private let start: UTCTime?
    private let end: UTCTime?
    /// The selection, if fixes are omitted because of their quality; otherwise `nil`.
    private let discarding: FixSelection?

    private var last: FixInstant?
    private var lastWritten: FixInstant?
    private var plane: LocalPlane?
    /// The number of following fixes that cannot begin a segment, regardless of their times.
    private var ignoredGaps = 0

    /// The time of a fix, or only the time of day.
    private enum FixInstant: Equatable, Sendable {
        case dated(UTCTime)
        case undated(TimeOfDay)
        case never

        init(_ fix: Fix) {
            if let time = fix.time {
                self = .dated(time)
            } else {
                self = fix.timeOfDay.map { .undated($0) } ?? .never
            }
        }

        private var timeOfDay: TimeOfDay? {
            switch self {
            case .dated(let time): time.time
            case .undated(let time): time
            case .never: nil
            }
        }

        /// Returns the nanoseconds since an earlier fix, from the times of day unless both have a
        /// date; `nil` if unknown.
        func nanoseconds(since earlier: FixInstant) -> Int64? {
            if case .dated(let this) = self, case .dated(let that) = earlier {
                return this.nanoseconds(since: that) ?? .max
            }
            if self == .never, earlier == .never { return 0 }
            guard let this = timeOfDay, let that = earlier.timeOfDay else { return nil }
            return this.nanoseconds(since: that)
        }
    }

    /// Creates a filter for a selection.
    package init(_ selection: FixSelection) {
        // One millisecond is subtracted, because the times of some receivers are slightly
        // irregular.
        interval = selection.interval.map { Self.nanoseconds($0) - 1_000_000 } ?? .min
        squaredDistance = selection.distance.map { $0 * $0 }
        gap = SegmentGap(limit: selection.gap)
        start = selection.start
        end = selection.end
        discarding = selection.isDiscarding ? selection : nil
    }

    private static func nanoseconds(_ seconds: Double) -> Int64 {
        Int64(nanosecondsIn: max(0, seconds))
    }

    /// Ends the segment, because there is a gap before the next fix.
    package mutating func endSegment() {
        last = nil
        lastWritten = nil
        plane = nil
    }

    /// Ends the segment, because the next fix is from another source.
    mutating func beginSource() {
        endSegment()
        gap.restart()
    }

    /// Handles a skipped part of the source, which must not count as a gap.
    mutating func skip() {
        // Neither the current fix nor the first one after the skipped part may begin a segment.
        ignoredGaps = last == nil ? 0 : 2
    }

    /// Determines whether to write the next fix.
    package mutating func decision(on fix: Fix) -> Decision {
        let instant = FixInstant(fix)
        var decision = Decision()
        guard accepts(fix) else {
            decision.isWritten = false
            return decision
        }
        if ignoredGaps > 0 {
            ignoredGaps -= 1
        } else if isAfterGap(instant) {
            decision.beginsSegment = true
            endSegment()
        }
        // The time before a fix without one is compared with the time after it.
        if instant != .never || last == nil { last = instant }
        guard isFarEnough(fix, instant) else {
            decision.isWritten = false
            return decision
        }
        lastWritten = instant
        if squaredDistance != nil, let position = fix.coordinate {
            plane = LocalPlane(at: position)
        }
        return decision
    }

    /// Returns whether a fix begins a segment: it is the first one, or its time is earlier than
    /// that of the last fix, or later by more than the gap.
    private mutating func isAfterGap(_ instant: FixInstant) -> Bool {
        guard let last else { return true }
        guard let step = instant.nanoseconds(since: last) else { return false }
        return gap.isGap(Double(step) / 1e9)
    }

    /// Returns whether a fix is in the selected time range and has the required quality.
    func accepts(_ fix: Fix) -> Bool { isWithinTime(fix) && discarding?.accepts(fix) ?? true }

    /// Returns whether a fix is in the selected time range.
    func isWithinTime(_ fix: Fix) -> Bool {
        guard start != nil || end != nil else { return true }
        guard let time = fix.time else { return false }
        if let start, time.isBefore(start) { return false }
        return end.map { time.isBefore($0) } ?? true
    }

    private func isFarEnough(_ fix: Fix, _ instant: FixInstant) -> Bool {
        if interval != .min, let lastWritten,
            let elapsed = instant.nanoseconds(since: lastWritten), elapsed < interval
        {
            return false
        }
        guard let squaredDistance, let plane else { return true }
        guard let position = fix.coordinate else { return false }
        return plane.point(at: position).squaredDistance >= squaredDistance
    }
}
