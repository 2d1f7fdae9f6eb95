// SPDX-License-Identifier: MIT
package import GNSS
import NMEA

/// When the lines of a recording are due: by the times when they came, where it has them (`record`
/// writes them), else by the times of its own epochs.
package struct ReplayPace {
    /// A longer gap is one in the recording, not of the receiver; it is cut to this.
    private static let longestGap: Int64 = 60_000_000_000

    /// So slow that the longest gap takes a few months.
    private static let slowest = 1e-5

    private let speed: Double
    private var last: TimeOfDay?
    private var lastReceived: UTCTime?
    private var due: MonotonicInstant?
    /// A line of `record`'s whose end comes later.
    private var begun: [UInt8] = []

    /// `speed` is how many times faster than recorded; infinite is as fast as it can, and what
    /// makes no sense as recorded.
    package init(speed: Double) {
        self.speed = speed > 0 ? max(speed, Self.slowest) : 1
    }

    /// When to go on with a line, if it says a time that is not there yet.
    package mutating func due(
        _ line: ArraySlice<UInt8>, now: MonotonicInstant
    ) -> MonotonicInstant? {
        guard speed.isFinite else { return nil }
        if let received = received(line) {
            defer { lastReceived = received }
            return next(lastReceived.map { received.unixNanoseconds &- $0.unixNanoseconds }, now)
        }
        // When they came is better known than what they are of.
        guard lastReceived == nil, let time = Self.time(of: line), time != last else {
            return nil
        }
        defer { last = time }
        return next(last.map { time.nanoseconds(since: $0) }, now)
    }

    /// When something is due that came so many nanoseconds after the last.
    private mutating func next(
        _ step: Int64?, _ now: MonotonicInstant
    ) -> MonotonicInstant? {
        guard let step, let previous = due else {
            due = now
            return nil
        }
        let pause = min(max(0, step), Self.longestGap)
        // A line that comes late, as after a suspend, does not make the next ones hurry.
        let base = max(previous, now - .seconds(1))
        let next = base + .nanoseconds(Int64(Double(pause) / speed))
        due = next
        return next
    }

    /// What a line `# 2026-03-21T12:00:00.123456Z` says.
    private mutating func received(_ line: ArraySlice<UInt8>) -> UTCTime? {
        guard !begun.isEmpty || line.first == UInt8(ascii: "#") else { return nil }
        begun += line.prefix(ReceivedTime.length + 2)
        guard line.last == 0x0A || begun.count > ReceivedTime.length else { return nil }
        defer { begun = [] }
        return ReceivedTime.time(in: begun)
    }

    private static func time(of line: ArraySlice<UInt8>) -> TimeOfDay? {
        var framer = Framer()
        var time: TimeOfDay?
        func take(_ event: FramerEvent) {
            if case .sentence(let raw) = event { time = time ?? raw.epochTime }
        }
        framer.push(line.span, take)
        framer.finish(take)
        return time
    }
}

/// The line by which a recording says when the bytes behind it came; see docs/recording.md.
private enum ReceivedTime {
    private static let pattern = "# 0000-00-00T00:00:00.000000Z"

    /// How many characters it has, without its end.
    static var length: Int { pattern.utf8.count }

    /// The instant of such a line; `nil` for any other.
    static func time(in line: [UInt8]) -> UTCTime? {
        let end = line.dropFirst(length)
        guard line.starts(with: "# ".utf8), line.count >= length,
            line[12] == UInt8(ascii: "T"), line[length - 1] == UInt8(ascii: "Z"),
            end.allSatisfy({ $0 == 0x0D || $0 == 0x0A })
        else { return nil }
        return UTCTime(iso8601: String(decoding: line[2..<length], as: UTF8.self))
    }
}
