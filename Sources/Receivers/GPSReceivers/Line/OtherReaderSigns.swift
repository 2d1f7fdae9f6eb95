// SPDX-License-Identifier: MIT
package import GNSS

/// Collects signs that another program reads the same tty, so that bytes are missing: rejected
/// sentences, epochs with fewer sentences than before, and missing epochs.
///
/// These signs can also have other causes, and a check has to examine all processes. Therefore, a
/// check is due only after a sign, and the intervals between checks grow while no other program is
/// found. After another program has been found, regular checks show when it has stopped reading.
package struct OtherReaderSigns {
    private static let (minimumPause, maximumPause) = (Duration.seconds(2), Duration.seconds(600))
    /// The interval between checks while another program is known to read the tty.
    private static let repetition = Duration.seconds(30)
    /// The number of epochs used to learn the number of sentences per epoch.
    private static let learningEpochs = 5

    /// Whether the last check found another program that reads the tty.
    package var isReported = false
    private var hasSign = false
    private var next: MonotonicInstant
    private var pause = Self.minimumPause
    private var lastInstant: Int64?
    private var shortestStep: Int64?
    private var epochCount = 0
    private var sentenceCount = 0
    private var fewestSentences = Int.max

    /// Creates the state for a tty that has just been opened and checked.
    package init(at now: MonotonicInstant) {
        next = now + pause
    }

    /// Counts a sentence.
    package mutating func receivedSentence() {
        sentenceCount += 1
    }

    /// Records a rejected sentence as a sign.
    package mutating func receivedRejection() {
        hasSign = true
    }

    /// Compares an epoch with the previous ones. Records a sign if it has fewer sentences or
    /// follows a missing epoch. Call it after `receivedSentence()` for all the epoch's sentences.
    package mutating func received(_ fix: Fix) {
        epochCount += 1
        if epochCount > Self.learningEpochs, sentenceCount < fewestSentences { hasSign = true }
        // The first epoch may have begun before the tty was opened.
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

    /// Returns whether a check is due now. If it is, the sign is cleared and the time of the next
    /// check is set.
    package mutating func isCheckDue(at now: MonotonicInstant) -> Bool {
        guard hasSign || isReported, now >= next else { return false }
        hasSign = false
        if next.duration(to: now) > Self.maximumPause { pause = Self.minimumPause }
        pause = isReported ? Self.repetition : min(pause * 2, Self.maximumPause)
        next = now + pause
        return true
    }
}
