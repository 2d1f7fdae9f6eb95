// SPDX-License-Identifier: MIT
package import GNSS

/// Detects problems of a serial line by the bytes that it carries instead of messages.
package struct LineQuality {
    /// A problem of a serial line.
    package enum LineProblem: Sendable {
        /// For five seconds, the received bytes contained no message and did not look like text.
        /// The baud rate is probably wrong.
        case misunderstood
        /// Noise arrives faster than any serial line can carry it. The problem is reported again
        /// only after the receiver has sent a message.
        case flooded
    }

    /// The time without a message after which the counted bytes are evaluated, in seconds.
    private static let evaluationDelay = 5.0
    /// The time without a message after which bytes are counted, in seconds. Earlier bytes may
    /// belong to a sentence that is not yet complete.
    private static let pause = 1.0
    /// The length, in seconds, of the window in which noise is counted.
    private static let window = 0.1
    /// The number of noise bytes in one `window` that counts as a flood. A line at 921600 baud
    /// carries fewer.
    private static let windowLimit = 13_000

    private var since: MonotonicInstant?
    private var count = 0
    private var textCount = 0
    private var windowStart: MonotonicInstant
    private var windowCount = 0
    private var floodedSince: MonotonicInstant?
    private var isFloodReported = false

    /// Creates the state for a line that has just been opened.
    package init(at now: MonotonicInstant) {
        windowStart = now
    }

    /// Resets the evaluation. Call it for bytes that contain messages.
    package mutating func receivedMessages() {
        since = nil
        floodedSince = nil
        isFloodReported = false
    }

    /// Evaluates bytes without messages. Returns a problem when it is detected.
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
        // Text with wrong checksums indicates a bad cable, not a wrong baud rate.
        let isText = textCount * 100 >= count * 90
        since = nil
        return isText ? nil : .misunderstood
    }

    /// Returns the time at which to resume reading during a flood; `nil` to read immediately.
    package func throttleEnd(at now: MonotonicInstant) -> MonotonicInstant? {
        guard windowCount >= Self.windowLimit else { return nil }
        let end = windowStart + .seconds(Self.window)
        return end > now ? end : nil
    }
}
