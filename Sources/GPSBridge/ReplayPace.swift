// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// When the lines of a recording are due, by the times of its own epochs.
struct ReplayPace {
    /// A longer gap is one in the recording, not of the receiver; it is cut to this.
    private static let longestGap: Int64 = 60_000_000_000

    /// So slow that the longest gap takes a few months.
    private static let slowest = 1e-5

    private let speed: Double
    private var last: TimeOfDay?
    private var due: ContinuousClock.Instant?

    /// `speed` is how many times faster than recorded; infinite is as fast as it can, and what
    /// makes no sense as recorded.
    init(speed: Double) {
        self.speed = speed > 0 ? max(speed, Self.slowest) : 1
    }

    /// When to go on with a line, if it begins an epoch that is not due yet.
    mutating func due(_ bytes: [UInt8], _ line: Range<Int>) -> ContinuousClock.Instant? {
        guard speed.isFinite, let time = Self.time(of: bytes, line), time != last else {
            return nil
        }
        defer { last = time }
        guard let last, let previous = due else {
            due = .now
            return nil
        }
        let step = min(max(0, time.nanoseconds(since: last)), Self.longestGap)
        // A line that comes late, as after a suspend, does not make the next ones hurry.
        let base = max(previous, .now - .seconds(1))
        let next = base + .nanoseconds(Int64(Double(step) / speed))
        due = next
        return next
    }

    private static func time(of bytes: [UInt8], _ line: Range<Int>) -> TimeOfDay? {
        var framer = Framer()
        var time: TimeOfDay?
        func take(_ event: FramerEvent) {
            if case .sentence(let raw) = event { time = time ?? raw.epochTime }
        }
        framer.push(bytes.span.extracting(line), take)
        framer.finish(take)
        return time
    }
}
