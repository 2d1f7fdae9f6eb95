// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO

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

/// Determines when the first byte of a burst arrived, from the arrival times of chunks.
///
/// A burst begins after a pause. If the line never pauses, no starts are found.
package struct BurstTimer: Sendable {
    /// The minimum pause before a burst, in nanoseconds. It is longer than the pauses within a
    /// burst, which last up to 16 ms with an FTDI chip, and has a margin for the system.
    private static let silence: Int64 = 60_000_000

    /// The start of the current burst by the system's real-time clock, in nanoseconds since 1970;
    /// `nil` if it is not known, or after `takeStart()`.
    package private(set) var start: Int64?
    /// The start of the last burst by the monotonic clock, in nanoseconds; `nil` before the first
    /// burst.
    package private(set) var steadyStart: Int64?
    private var lastArrival: Int64?
    private let ignoresBaudRate: Bool

    /// Creates a timer for a line that has just been opened. Pass `true` as `ignoresBaudRate` if
    /// the baud rate does not limit the transmission, as with built-in USB.
    package init(ignoresBaudRate: Bool = false) {
        self.ignoresBaudRate = ignoresBaudRate
    }

    /// Processes the arrival of a chunk. `now` is the monotonic time and `clock` the time of the
    /// system's real-time clock, both in nanoseconds.
    ///
    /// The start of a burst is the arrival time of its first chunk. If the baud rate is known and
    /// not ignored, the chunk's transmission time is subtracted.
    package mutating func receive(byteCount: Int, baudRate: Int?, now: Int64, clock: Int64) {
        defer { lastArrival = now }
        guard let lastArrival, now - lastArrival >= Self.silence else { return }
        // Ten bits per byte, with start and stop bit.
        let rate = ignoresBaudRate ? nil : baudRate
        let duration = rate.map { Int64(byteCount) * 10_000_000_000 / Int64(max($0, 1)) } ?? 0
        let lateness = min(duration, now - lastArrival)
        (start, steadyStart) = (clock - lateness, now - lateness)
    }

    /// Processes the arrival of a chunk at the current time. Call it immediately after reading the
    /// chunk.
    package mutating func receive(byteCount: Int, baudRate: Int?) {
        receive(
            byteCount: byteCount, baudRate: baudRate, now: MonotonicInstant.now.nanoseconds,
            clock: SystemClock.nanoseconds ?? 0)
    }

    /// Returns `start` and sets it to `nil`, so that the start of each burst is returned only once.
    package mutating func takeStart() -> Int64? { exchange(&start, with: nil) }
}

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

/// Detects that a live receiver is silent: no epoch for ten seconds or for five cycles, whichever
/// is longer, or none in the first minute.
package struct SilenceWatch {
    private static let minimumSilence = Duration.seconds(10)
    private static let maximumCycle = Duration.seconds(60)
    private static let firstEpochLimit = Duration.seconds(60)

    /// The time at which the receiver counts as silent if no epoch arrives before; `nil` during a
    /// silence.
    package private(set) var deadline: MonotonicInstant?
    private let start: MonotonicInstant
    private var last: MonotonicInstant?
    /// The longest recent interval between epochs, at most 60 s. With each epoch, the influence of
    /// earlier intervals halves.
    private var cycle = Duration.zero

    /// Creates a watch of a receiver that has just been opened.
    package init(at start: MonotonicInstant) {
        (self.start, deadline) = (start, start + Self.firstEpochLimit)
    }

    /// Records an epoch.
    package mutating func receivedEpoch(at now: MonotonicInstant) {
        if let last { cycle = max(min(last.duration(to: now), Self.maximumCycle), cycle / 2) }
        last = now
        deadline = now + max(Self.minimumSilence, cycle * 5)
    }

    /// Returns a value once when the receiver becomes silent: the seconds since the last epoch, or
    /// since the receiver was opened. Otherwise returns `nil`.
    ///
    /// If `mayHaveNoEpoch` is `true`, a receiver that has not sent an epoch yet does not count as
    /// silent: it sends only other messages, such as AIS, or another problem has been reported.
    package mutating func silence(at now: MonotonicInstant, mayHaveNoEpoch: Bool = false) -> Int? {
        guard let deadline, deadline <= now else { return nil }
        self.deadline = nil
        guard last != nil || !mayHaveNoEpoch else { return nil }
        return Int(now.seconds(since: last ?? start))
    }
}

/// The state while waiting for the first valid sentence of a live source.
struct FirstSentenceWait {
    static let limit = Duration.seconds(5)
    let deadline: MonotonicInstant
    var byteCount = 0
}
