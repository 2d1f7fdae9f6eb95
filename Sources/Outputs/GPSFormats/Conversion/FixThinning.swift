// SPDX-License-Identifier: MIT
public import GNSS

/// Splits a track into segments at gaps. Omits fixes outside the selection, and fixes that follow
/// the last written one too soon or are too close to it.
package struct FixThinning: Equatable, Sendable {
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

/// A selection of fixes by time, quality and density.
public struct FixSelection: Hashable, Sendable {
    /// The start of the selected time range. If it is set, earlier fixes and fixes without a date
    /// are omitted.
    public var start: UTCTime?

    /// The end of the selected time range. If it is set, fixes at or after this time and fixes
    /// without a date are omitted.
    public var end: UTCTime?

    /// The maximum HDOP; `nil` for no limit. Fixes with a larger or unknown HDOP are omitted.
    public var maximumHDOP: Double?

    /// The maximum PDOP; `nil` for no limit. Fixes with a larger or unknown PDOP are omitted.
    public var maximumPDOP: Double?

    /// The minimum number of satellites used; `nil` for no limit. Fixes with fewer or an unknown
    /// number are omitted.
    public var minimumSatellites: Int?

    /// The maximum horizontal accuracy in metres; `nil` for no limit. Fixes with a larger or
    /// unknown accuracy are omitted.
    public var maximumAccuracy: Double?

    /// The qualities to keep; `nil` keeps all.
    public var qualities: Set<FixQuality>?

    /// The minimum time between two written fixes in seconds; `nil` for no minimum.
    public var interval: Double?

    /// The minimum distance between two written fixes in metres; `nil` for no minimum.
    public var distance: Double?

    /// The maximum distance of an omitted fix from the line through the written fixes, in metres
    /// (Douglas–Peucker); `nil` to keep all.
    public var tolerance: Double?

    /// The time without a fix after which a new segment begins, in seconds.
    public var gap = 60.0

    /// Creates a selection of all fixes.
    public init() {}

    /// Whether every fix is written.
    package var isEverything: Bool { start == nil && end == nil && !isThinned && !isDiscarding }

    /// Whether fixes are omitted because of their quality, DOP, accuracy or number of satellites.
    var isDiscarding: Bool {
        maximumHDOP != nil || maximumPDOP != nil || minimumSatellites != nil
            || maximumAccuracy != nil || qualities != nil
    }

    /// Returns whether a fix has the required quality, DOPs, accuracy and number of satellites.
    func accepts(_ fix: Fix) -> Bool {
        func isWithin(_ value: Double?, _ limit: Double?) -> Bool {
            guard let limit else { return true }
            return value.map { $0 <= limit } ?? false
        }
        if let minimumSatellites, fix.satellitesUsed ?? -1 < minimumSatellites { return false }
        if let qualities, !qualities.contains(fix.quality) { return false }
        return isWithin(fix.dilution.hdop, maximumHDOP)
            && isWithin(fix.dilution.pdop, maximumPDOP)
            && isWithin(fix.accuracy.horizontal, maximumAccuracy)
    }

    /// Whether fixes are omitted because of `interval`, `distance` or `tolerance`.
    package var isThinned: Bool { interval != nil || distance != nil || tolerance != nil }
}

/// Selects the points that preserve the shape of a line within a tolerance (Douglas–Peucker).
package struct LineSimplifier: Sendable {
    private let squaredTolerance: Double
    /// Whether each point of the line is kept, by the index of the point.
    package private(set) var isKept: [Bool] = []
    private var stack: [(first: Int, last: Int)] = []

    /// Creates a simplifier with a tolerance in metres.
    package init(tolerance: Double) {
        squaredTolerance = tolerance * tolerance
    }

    /// Computes `isKept` for a line. The first and the last point are kept. Between two kept
    /// points, the point farthest from their connecting line is kept as well, recursively, until
    /// all points are within the tolerance.
    package mutating func mark(_ points: [LocalPlane.Point]) {
        isKept.removeAll(keepingCapacity: true)
        guard !points.isEmpty else { return }
        let last = points.count - 1
        isKept.append(contentsOf: repeatElement(false, count: points.count))
        isKept[0] = true
        isKept[last] = true
        stack.append((0, last))
        while let part = stack.popLast() {
            var farthest = squaredTolerance
            var index: Int?
            for i in stride(from: part.first + 1, to: part.last, by: 1) {
                let distance = Self.squaredDistance(points, i, part.first, part.last)
                if distance > farthest {
                    farthest = distance
                    index = i
                }
            }
            guard let index else { continue }
            isKept[index] = true
            stack.append((part.first, index))
            stack.append((index, part.last))
        }
    }

    /// Returns the squared distance from a point to the line segment between two others.
    private static func squaredDistance(
        _ points: [LocalPlane.Point], _ i: Int, _ first: Int, _ last: Int
    ) -> Double {
        let (start, end, point) = (points[first], points[last], points[i])
        let line = end - start
        var offset = point - start
        let length = line.squaredDistance
        if length > 0 {
            let fraction = max(
                0, min(1, (offset.east * line.east + offset.north * line.north) / length))
            offset.east -= fraction * line.east
            offset.north -= fraction * line.north
        }
        return offset.squaredDistance
    }
}

/// Omits fixes that are within a tolerance of the line through the kept fixes (Douglas–Peucker).
///
/// It works in windows of 512 fixes, so that memory does not grow with the track. The first and the
/// last fix of a window are always kept, and the last one begins the next window.
struct TrackSimplifier {
    private static let window = 512

    private var simplifier: LineSimplifier
    private var fixes: [Fix] = []
    private var points: [LocalPlane.Point] = []
    private var plane: LocalPlane?
    /// Whether the first fix of the window is the last one of the previous window, which has
    /// already been passed on.
    private var isContinued = false

    init(tolerance: Double) {
        simplifier = LineSimplifier(tolerance: tolerance)
        fixes.reserveCapacity(Self.window)
    }

    /// Adds the next fix of the segment. When a window is full, appends its kept fixes to `kept`.
    mutating func add(_ fix: Fix, _ kept: inout [Fix]) {
        guard let position = fix.coordinate else { return }
        append(fix, position)
        guard fixes.count == Self.window else { return }
        endWindow(&kept)
        append(fix, position)
        isContinued = true
    }

    /// Ends the segment. Appends the kept fixes of the last window to `kept`.
    mutating func endSegment(_ kept: inout [Fix]) {
        endWindow(&kept)
        isContinued = false
    }

    private mutating func append(_ fix: Fix, _ position: Coordinate) {
        let plane = self.plane ?? LocalPlane(at: position)
        self.plane = plane
        fixes.append(fix)
        points.append(plane.point(at: position))
    }

    private mutating func endWindow(_ kept: inout [Fix]) {
        simplifier.mark(points)
        for index in fixes.indices where simplifier.isKept[index] && !(isContinued && index == 0) {
            kept.append(fixes[index])
        }
        fixes.removeAll(keepingCapacity: true)
        points.removeAll(keepingCapacity: true)
        plane = nil
    }
}

/// The rule by which a track is divided into several files.
package enum TrackSplit: Hashable, Sendable {
    /// A new file begins after more than this time without a position, in seconds, and when the
    /// time goes back.
    case gap(Double)
    /// Each file contains the fixes of one UTC day.
    case day
    /// A new file begins when the track in the current one has reached this length, in metres.
    case distance(Double)
}

/// Determines which fixes begin a new file, and names the files.
struct TrackSplitter {
    private let rule: TrackSplit
    private var clock = FixClock()
    private var odometer: Odometer
    /// The distance from the start of the track to the start of the current file, in metres.
    private var start = 0.0
    private var day: CalendarDate?
    /// The number of files so far.
    private var count = 0
    /// For each day, the number of files that have it in their name.
    private var counts: [String: Int] = [:]

    /// Creates a splitter. The distance across a gap of more than `gap` seconds is not counted.
    init(_ rule: TrackSplit, gap: Double) {
        self.rule = rule
        odometer = Odometer(gap: gap)
    }

    /// Ends the segment: the distance to the next fix is not counted.
    mutating func endSegment() {
        odometer.endSegment()
    }

    /// Adds a fix. Returns the name of the new file if the fix begins one; otherwise `nil`.
    mutating func file(beginningWith fix: Fix) -> String? {
        guard begins(with: fix) || count == 0 else { return nil }
        count += 1
        guard rule == .day else { return String(count, width: 3) }
        let name = fix.time.map { $0.description.prefix(10).filter { $0 != "-" } } ?? "undated"
        counts[name, default: 0] += 1
        let number = counts[name] ?? 1
        return number > 1 ? "\(name)-\(number)" : name
    }

    private mutating func begins(with fix: Fix) -> Bool {
        switch rule {
        case .day:
            guard let date = fix.time?.date, date != day else { return false }
            day = date
            return true
        case .gap(let seconds):
            guard fix.coordinate != nil else { return false }
            return clock.step(to: fix).map { $0 > seconds || $0 < 0 } ?? false
        case .distance(let metres):
            odometer.add(fix)
            guard fix.coordinate != nil, odometer.distance - start >= metres else { return false }
            start = odometer.distance
            return true
        }
    }
}
