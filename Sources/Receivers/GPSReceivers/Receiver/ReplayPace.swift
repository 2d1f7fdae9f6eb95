// SPDX-License-Identifier: MIT
package import GNSS
import NMEA
import UBX

/// Schedules the lines of a recording by their recorded arrival times (written by `record`), or
/// otherwise by the times of the epochs.
package struct ReplayPace {
    /// The maximum pause between two lines, in nanoseconds. A longer gap means that the recording
    /// was interrupted.
    private static let maximumGap: Int64 = 60_000_000_000

    /// The minimum speed. At this speed, the longest pause takes about 70 days.
    private static let minimumSpeed = 1e-5

    private let speed: Double
    private var last: TimeOfDay?
    /// Whether a line with a UTC time has been processed. Until then, the times of week of UBX
    /// messages are used.
    private var hasUTC = false
    private var lastReceived: UTCTime?
    private var due: MonotonicInstant?
    /// The beginning of a line with an arrival time, until the rest of the line is received.
    private var begun: [UInt8] = []

    /// Creates a schedule. `speed` is a factor: 1 is the recorded speed, infinity is as fast as
    /// possible. An invalid speed is treated as 1.
    package init(speed: Double) {
        self.speed = speed > 0 ? max(speed, Self.minimumSpeed) : 1
    }

    /// Returns when to deliver a line that contains a new time; `nil` to deliver the line
    /// immediately.
    package mutating func due(
        _ line: ArraySlice<UInt8>, now: MonotonicInstant
    ) -> MonotonicInstant? {
        guard speed.isFinite else { return nil }
        if let received = received(line) {
            defer { lastReceived = received }
            return next(lastReceived.map { received.unixNanoseconds &- $0.unixNanoseconds }, now)
        }
        // The arrival time is more accurate than the time in the sentence.
        guard lastReceived == nil, let time = epochTime(of: line), time != last else {
            return nil
        }
        defer { last = time }
        return next(last.map { time.nanoseconds(since: $0) }, now)
    }

    /// Returns when to deliver a line that was received `step` nanoseconds after the previous one;
    /// `nil` to deliver it immediately.
    private mutating func next(
        _ step: Int64?, _ now: MonotonicInstant
    ) -> MonotonicInstant? {
        guard let step, let previous = due else {
            due = now
            return nil
        }
        let pause = min(max(0, step), Self.maximumGap)
        // After a late line, for example after a suspend, the next lines keep their intervals.
        let base = max(previous, now - .seconds(1))
        let next = base + .nanoseconds(Int64(Double(pause) / speed))
        due = next
        return next
    }

    /// Returns the arrival time in a line such as `# 2026-03-21T12:00:00.123456Z`; `nil` for any
    /// other line.
    private mutating func received(_ line: ArraySlice<UInt8>) -> UTCTime? {
        guard !begun.isEmpty || line.first == UInt8(ascii: "#") else { return nil }
        begun += line.prefix(ReceivedTime.length + 2)
        guard line.last == 0x0A || begun.count > ReceivedTime.length else { return nil }
        return ReceivedTime.time(in: exchange(&begun, with: []))
    }

    private mutating func epochTime(of line: ArraySlice<UInt8>) -> TimeOfDay? {
        let (time, timeOfWeek) = Self.times(of: line)
        if time != nil, !hasUTC {
            hasUTC = true
            last = nil
        }
        return hasUTC ? time : timeOfWeek
    }

    /// Returns the UTC time of day in a line; `nil` if it has none.
    static func time(of line: ArraySlice<UInt8>) -> TimeOfDay? { times(of: line).utc }

    private static func times(
        of line: ArraySlice<UInt8>
    ) -> (utc: TimeOfDay?, ofWeek: TimeOfDay?) {
        var options = Framer.Options()
        options.skipsComments = true
        var framer = Framer(options: options)
        var time: TimeOfDay?
        var timeOfWeek: TimeOfDay?
        func take(_ event: FramerEvent) {
            switch event {
            case .sentence(let raw): time = time ?? raw.epochTime
            case .frame(.ubx, let bytes, _):
                let frame = UBXFrame(recognised: bytes)
                time = time ?? frame.epochTime
                timeOfWeek = timeOfWeek ?? frame.epochTimeOfWeek
            default: break
            }
        }
        framer.push(line.span, take)
        framer.finish(take)
        return (time, timeOfWeek)
    }
}

/// The format of the lines that contain the arrival time of the bytes after them; see
/// docs/recording.md.
private enum ReceivedTime {
    private static let pattern = "# 0000-00-00T00:00:00.000000Z"

    /// The number of bytes in a line with an arrival time, without the line end.
    static var length: Int { pattern.utf8.count }

    /// Returns the time in a line with an arrival time; `nil` for any other line.
    static func time(in line: [UInt8]) -> UTCTime? {
        let end = line.dropFirst(length)
        guard line.starts(with: "# ".utf8), line.count >= length,
            line[12] == UInt8(ascii: "T"), line[length - 1] == UInt8(ascii: "Z"),
            end.allSatisfy({ $0 == 0x0D || $0 == 0x0A })
        else { return nil }
        return UTCTime(iso8601: String(decoding: line[2..<length], as: UTF8.self))
    }
}
