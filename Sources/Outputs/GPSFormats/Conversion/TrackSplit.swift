// SPDX-License-Identifier: MIT
import GNSS

/// The rule by which a track is divided into several files.
public enum TrackSplit: Hashable, Sendable {
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
