// SPDX-License-Identifier: MIT
package import GNSS

/// Signs that another program reads the same tty, so that bytes are missing: rejected sentences, epochs
/// with fewer sentences than ever, and epochs that did not come at all.
///
/// They have other causes, too, and finding out means looking through all processes: that is due after
/// a sign only, and ever less often as long as nothing is found.
package struct SharedLineSigns {
    private static let (shortestPause, longestPause) = (Duration.seconds(2), Duration.seconds(600))
    /// Epochs in which the numbers of sentences are learned.
    private static let learned = 5

    /// Whether another program has been found.
    package var isReported = false
    private var hasSign = false
    private var next: MonotonicInstant
    private var pause = Self.shortestPause
    private var lastInstant: Int64?
    private var shortestStep: Int64?
    private var epochCount = 0
    private var sentenceCount = 0
    private var fewestSentences = Int.max

    /// Starts with a tty that has just been opened, and looked at.
    package init(at now: MonotonicInstant) {
        next = now + pause
    }

    /// Call with each sentence.
    package mutating func receivedSentence() {
        sentenceCount += 1
    }

    /// Call with each rejection.
    package mutating func receivedRejection() {
        hasSign = true
    }

    /// Call with the fix of each epoch, behind its sentences.
    package mutating func received(_ fix: Fix) {
        epochCount += 1
        if epochCount > Self.learned, sentenceCount < fewestSentences { hasSign = true }
        // The first may have begun before the tty was opened.
        if epochCount > 1 { fewestSentences = min(fewestSentences, sentenceCount) }
        sentenceCount = 0
        let instant = fix.time?.unixNanoseconds ?? fix.timeOfDay?.nanoseconds
        defer { lastInstant = instant }
        guard let instant, let lastInstant else { return }
        let (step, isBeyond) = instant.subtractingReportingOverflow(lastInstant)
        guard step > 0, !isBeyond else { return }
        if let shortestStep, step / 3 >= shortestStep / 2 { hasSign = true }
        shortestStep = min(shortestStep ?? step, step)
    }

    /// Whether to look now; then the next time is later.
    package mutating func isLookDue(at now: MonotonicInstant) -> Bool {
        guard hasSign, now >= next else { return false }
        hasSign = false
        if next.duration(to: now) > Self.longestPause { pause = Self.shortestPause }
        pause = min(pause * 2, Self.longestPause)
        next = now + pause
        return true
    }
}
