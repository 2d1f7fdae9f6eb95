// SPDX-License-Identifier: MIT
import GNSS

/// Combines the positions of a `gx:Track` with their times.
///
/// KML lists the times before the positions. Some programs write all times first, others write each
/// time after its position.
struct KMLTrackTimes {
    /// The maximum number of times before their positions.
    private static let maximumCount = 1_000_000

    /// The times that precede their positions.
    private var times: [UTCTime?] = []
    /// The number of elements of `times` whose position was read.
    private var positioned = 0
    /// The last position, whose time may follow.
    private var waiting: Fix?
    /// The number of times that may still follow for earlier positions. These positions are
    /// missing, or were returned without a time.
    private var untimed = 0

    /// Adds the next position, or `nil` for an empty element, whose position is missing. Returns
    /// the position that is now complete: this one if its time precedes it, or the previous one if
    /// its time is missing; otherwise `nil`.
    mutating func add(_ fix: Fix?) -> Fix? {
        guard positioned < times.count else {
            let complete = end()
            if fix == nil { untimed += 1 }
            waiting = fix
            return complete
        }
        defer { positioned += 1 }
        guard var fix else { return nil }
        if let time = times[positioned] { fix.set(time: time) }
        return fix
    }

    /// Adds a time. If the position before it waits for its time, returns that position with the
    /// time. Otherwise returns `nil`, and the time belongs to a position that follows.
    mutating func add(_ time: UTCTime?) throws(XMLReason) -> Fix? {
        guard untimed == 0 else {
            untimed -= 1
            return nil
        }
        if var fix = waiting.take() {
            if let time { fix.set(time: time) }
            return fix
        }
        if positioned == times.count { (times, positioned) = ([], 0) }
        guard times.count < Self.maximumCount else {
            throw XMLReason("a gx:Track has more than \(Self.maximumCount) times")
        }
        times.append(time)
        return nil
    }

    /// Returns the last position if its time is missing; otherwise `nil`.
    mutating func end() -> Fix? {
        guard let fix = waiting.take() else { return nil }
        untimed += 1
        return fix
    }
}
