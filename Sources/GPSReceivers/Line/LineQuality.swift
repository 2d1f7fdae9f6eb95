// SPDX-License-Identifier: MIT
package import GNSS

/// Judges a line by whether messages still come over it. Costs something only while none do.
package struct LineQuality {
    /// What is wrong with a line.
    package enum LineProblem: Sendable {
        /// For seconds, only bytes as a wrong rate gives them.
        case misunderstood
        /// More noise than any line carries; reported once until messages come again.
        case flooded
    }

    /// Seconds without a message after which what came is judged.
    private static let patience = 5.0
    /// Seconds without a message before bytes are looked at: few pieces of a sentence complete one.
    private static let pause = 1.0
    /// Seconds.
    private static let window = 0.1
    /// Bytes of noise in a window: more than a line at 921600 baud carries, and little to look at.
    private static let windowLimit = 13_000

    private var since: MonotonicInstant?
    private var count = 0
    private var textCount = 0
    private var windowStart: MonotonicInstant
    private var windowCount = 0
    private var floodedSince: MonotonicInstant?
    private var isFloodReported = false

    /// Creates the state of a line that has just been opened.
    package init(at now: MonotonicInstant) {
        windowStart = now
    }

    /// Call for bytes that contained messages.
    package mutating func receivedMessages() {
        since = nil
        floodedSince = nil
        isFloodReported = false
    }

    /// Call for bytes without messages; returns a problem once there is one.
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
        guard seconds >= Self.patience, count >= 200 else { return nil }
        // Text with wrong checksums comes of a bad cable: the rate is right.
        let isText = textCount * 100 >= count * 90
        since = nil
        return isText ? nil : .misunderstood
    }

    /// When to read on during a flood.
    package func throttleEnd(at now: MonotonicInstant) -> MonotonicInstant? {
        guard windowCount >= Self.windowLimit else { return nil }
        let end = windowStart + .seconds(Self.window)
        return end > now ? end : nil
    }
}
