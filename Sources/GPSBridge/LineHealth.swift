// SPDX-License-Identifier: MIT
import Devices

/// Whether what comes over a line still makes sense. Fed with every chunk; costs only without sense.
package struct LineHealth {
    /// What is the matter.
    package enum Complaint: Sendable {
        /// For seconds there has been nothing but what a wrong rate sounds like.
        case misunderstood
        /// More noise than any line carries; told once until there is sense again.
        case flooded
    }

    private static let patience = Duration.seconds(5)
    private static let window = Duration.milliseconds(100)
    /// Bytes of noise in a window: more than a line at 921600 baud carries, and little to look at.
    private static let windowLimit = 13_000

    private var since: ContinuousClock.Instant?
    private var count = 0
    private var textCount = 0
    private var windowStart = ContinuousClock.now
    private var windowCount = 0
    private var floodedSince: ContinuousClock.Instant?
    private var isFloodTold = false

    /// Makes the health of a line that has just been opened.
    package init() {}

    /// Takes note of bytes in which there was sense.
    package mutating func hearSense() {
        since = nil
        floodedSince = nil
        isFloodTold = false
    }

    /// Takes note of bytes without any; returns what there is to complain of.
    package mutating func hearNoise(
        _ bytes: [UInt8], at now: ContinuousClock.Instant
    ) -> Complaint? {
        if since == nil { (since, count, textCount) = (now, 0, 0) }
        count += bytes.count
        textCount += bytes.count(where: \.isText)
        if windowStart.duration(to: now) >= Self.window {
            if windowCount < Self.windowLimit { floodedSince = nil }
            (windowStart, windowCount) = (now, 0)
        }
        windowCount += bytes.count
        if windowCount >= Self.windowLimit {
            let start = floodedSince ?? now
            floodedSince = start
            if !isFloodTold, start.duration(to: now) >= .seconds(1) {
                isFloodTold = true
                return .flooded
            }
        }
        guard let since, since.duration(to: now) >= Self.patience, count >= 200 else { return nil }
        // Text with wrong checksums comes of a bad cable: the rate is right.
        let isText = textCount * 100 >= count * 90
        self.since = nil
        return isText ? nil : .misunderstood
    }

    /// Until when to let a flood wait: what it costs stays within bounds.
    package func rest(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard windowCount >= Self.windowLimit else { return nil }
        let end = windowStart + Self.window
        return end > now ? end : nil
    }
}
