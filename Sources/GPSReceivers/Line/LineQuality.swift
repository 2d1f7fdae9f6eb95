// SPDX-License-Identifier: MIT
package import GNSS

/// Detects problems of a line from the bytes received while no messages are.
package struct LineQuality {
    /// A problem of a line.
    package enum LineProblem: Sendable {
        /// For seconds, only bytes that look like those of a wrong rate.
        case misunderstood
        /// More noise than any line can carry; reported once until the next message.
        case flooded
    }

    /// Seconds without a message before the bytes are evaluated.
    private static let evaluationDelay = 5.0
    /// Seconds without a message before bytes are counted; most chunks do not complete a sentence.
    private static let pause = 1.0
    /// The length, in seconds, of the window in which noise is counted.
    private static let window = 0.1
    /// The limit for bytes of noise in a window: more than a line at 921600 baud carries.
    private static let windowLimit = 13_000

    private var since: MonotonicInstant?
    private var count = 0
    private var textCount = 0
    private var windowStart: MonotonicInstant
    private var windowCount = 0
    private var floodedSince: MonotonicInstant?
    private var isFloodReported = false

    /// Creates the state of a line just opened.
    package init(at now: MonotonicInstant) {
        windowStart = now
    }

    /// Resets the evaluation; call it for bytes that contained messages.
    package mutating func receivedMessages() {
        since = nil
        floodedSince = nil
        isFloodReported = false
    }

    /// Evaluates bytes without messages; returns a problem when it is detected.
    package mutating func receivedNoise(
        _ bytes: [UInt8], at now: MonotonicInstant
    ) -> LineProblem? {
        if since == nil { (since, count, textCount) = (now, 0, 0) }
        let seconds = since.map { now.seconds(since: $0) } ?? 0
        if seconds >= Self.pause {
            count += bytes.count
            textCount += bytes.count(where: \.isText)
        }
        if now.seconds(since: windowStart) >= Self.window {
            if windowCount < Self.windowLimit { floodedSince = nil }
            (windowStart, windowCount) = (now, 0)
        }
        windowCount += bytes.count
        if windowCount >= Self.windowLimit {
            let start = floodedSince ?? now
            floodedSince = start
            if !isFloodReported, now.seconds(since: start) >= 1 {
                isFloodReported = true
                return .flooded
            }
        }
        guard seconds >= Self.evaluationDelay, count >= 200 else { return nil }
        // Text with wrong checksums is caused by a bad cable: the rate is right.
        let isText = textCount * 100 >= count * 90
        since = nil
        return isText ? nil : .misunderstood
    }

    /// Returns the time to resume reading during a flood; `nil` if there is none.
    package func throttleEnd(at now: MonotonicInstant) -> MonotonicInstant? {
        guard windowCount >= Self.windowLimit else { return nil }
        let end = windowStart + .seconds(Self.window)
        return end > now ? end : nil
    }
}
