// SPDX-License-Identifier: MIT
package import GNSS

/// Finds the baud rate of a line by trying one rate after the other. The caller passes the time,
/// and calls `silence(_:at:)` at `deadline`.
///
/// Receivers send in bursts. The bytes before the first pause may be the end of a burst whose
/// beginning was missed. They can look like noise even at the correct rate, so they can confirm a
/// rate but not rule it out.
package struct RateScan: Sendable {
    /// The next step for the caller.
    package enum Step: Equatable, Sendable {
        /// Keep the current baud rate.
        case stay
        /// Set the line to this baud rate.
        case change(BaudRate)
        /// The current baud rate is correct.
        case found
    }

    /// The minimum gap between bytes that counts as a pause between bursts.
    package static let pause = Duration.milliseconds(50)
    /// The initial time to wait for data at one baud rate: the usual cycle of one second, plus a
    /// margin.
    private static let silenceLimit = Duration.milliseconds(1200)
    /// The maximum time to wait for data at one baud rate. It suffices for receivers that send
    /// every ten seconds.
    private static let maximumSilenceLimit = Duration.seconds(12)

    /// The rate being tried.
    package var baudRate: BaudRate { rates[index] }
    /// Whether bytes were received at a baud rate that was then ruled out.
    package private(set) var hasReceivedNoise = false
    /// The number of times that all rates have been tried.
    package private(set) var round = 0

    private let rates: [BaudRate]
    private var index = 0
    private var since: MonotonicInstant
    private let start: MonotonicInstant
    /// The time of the last byte at the rate being tried.
    private var lastByte: MonotonicInstant?
    /// The time of the last byte at any rate.
    private var lastByteAtAnyRate: MonotonicInstant?
    private var hasPaused = false
    private var isRuledOut = false
    private var messages = 0
    private var textBurstCount = 0
    private var burst = Burst()
    private var hasReceivedBytes = false
    private var isDormant = false
    private var silenceLimit = Self.silenceLimit

    /// The bytes received since the last pause.
    private struct Burst {
        var count = 0
        var textCount = 0
        var mayBeBinary = false

        /// Whether the bytes look like text. If text is received at half its baud rate, 82 % of the
        /// bytes still look like text, and in a short sample all of them may.
        var looksLikeText: Bool { count >= 24 && textCount * 100 >= count * 95 }
        var isGarbage: Bool { count >= 24 && textCount * 100 < count * 60 && !mayBeBinary }
    }

    /// Starts a search at the first of the baud rates. Returns `nil` if there are none.
    package init?(_ rates: [BaudRate], at now: MonotonicInstant) {
        guard !rates.isEmpty else { return nil }
        self.rates = rates
        since = now
        start = now
    }

    /// The time at which to call `silence(_:at:)` if no bytes are received until then. After a
    /// round without a byte at any baud rate, it is `nil` until bytes are received.
    package var deadline: MonotonicInstant? {
        if isDormant { return nil }
        let last = lastByte ?? since
        guard isInPause else {
            let end = last + Self.pause
            return isRuledOut ? min(end, since + hold) : end
        }
        return isRuledOut ? since + hold : last + currentSilenceLimit
    }

    /// Processes `count` received bytes (`textCount` of them are text), and the messages found in
    /// them.
    package mutating func received(
        _ count: Int, textCount: Int, _ found: MessageDetector.Result, at now: MonotonicInstant
    ) -> Step {
        noteGap(until: now)
        hasReceivedBytes = true
        isDormant = false
        lastByte = now
        burst.count += count
        burst.textCount += textCount
        burst.mayBeBinary = burst.mayBeBinary || found.mayBeBinary
        messages += found.messages
        // A single message may be a coincidence, although this has never been observed at a wrong
        // baud rate.
        if messages >= 2 { return .found }
        guard messages == 0 else { return .stay }
        // A binary message may be long, so more bytes are read. On a line that never pauses, the
        // rate is ruled out after 400 bytes.
        let most = !hasPaused ? 400 : burst.mayBeBinary ? 1200 : 200
        if burst.count >= most || hasPaused && burst.isGarbage { return leave(at: now) }
        return .stay
    }

    /// Processes a silence on the line, and the messages that it completed. Call this when no bytes
    /// have been received until the deadline.
    package mutating func silence(
        _ found: MessageDetector.Result = MessageDetector.Result(), at now: MonotonicInstant
    ) -> Step {
        messages += found.messages
        if messages >= 2 { return .found }
        if isRuledOut, now >= since + hold { return next(at: now) }
        let last = lastByte ?? since
        if isInPause { return now >= last + currentSilenceLimit ? leave(at: now) : .stay }
        guard now >= last + Self.pause else { return .stay }
        let ended = burst
        let isFirst = !hasPaused
        hasPaused = true
        burst = Burst()
        guard !isFirst, ended.count > 0, messages == 0 else { return .stay }
        // The rest of a sentence may arrive late. Therefore, up to two bursts of text are accepted
        // without a message.
        if ended.looksLikeText, textBurstCount < 2 {
            textBurstCount += 1
            return .stay
        }
        return leave(at: now)
    }

    // MARK: Changing the rate

    private var isInPause: Bool { hasPaused && burst.count == 0 }

    /// The current time limit for silence. It is longer after a first message, because another one
    /// is likely, even if the receiver sends only one every ten seconds.
    private var currentSilenceLimit: Duration {
        messages > 0 ? max(silenceLimit * 3, Self.maximumSilenceLimit) : silenceLimit
    }

    /// The minimum time at one baud rate. It increases after all rates have been tried, so that a
    /// line without messages is not reconfigured continuously.
    private var hold: Duration {
        round == 0 ? .zero : min(.seconds(1 << min(round, 4)), .seconds(10))
    }

    private mutating func leave(at now: MonotonicInstant) -> Step {
        guard now >= since + hold else {
            isRuledOut = true
            burst = Burst()
            return .stay
        }
        return next(at: now)
    }

    private mutating func next(at now: MonotonicInstant) -> Step {
        let before = baudRate
        hasReceivedNoise = hasReceivedNoise || lastByte != nil
        index += 1
        if index == rates.count {
            index = 0
            round += 1
            // A silent round does not rule out any baud rate.
            isDormant = !hasReceivedBytes
            hasReceivedBytes = false
        }
        since = now
        lastByte = nil
        hasPaused = isDormant
        isRuledOut = false
        messages = 0
        textBurstCount = 0
        burst = Burst()
        return baudRate == before ? .stay : .change(baudRate)
    }

    /// Adapts the time limit for silence to the gaps between bursts, so that the search waits long
    /// enough for a slow receiver. The silence before the first burst is a part of such a gap.
    private mutating func noteGap(until now: MonotonicInstant) {
        defer { lastByteAtAnyRate = now }
        let gap = (lastByteAtAnyRate ?? start).duration(to: now)
        // A longer gap is not a pause of the receiver: it was unplugged, or the machine was
        // suspended.
        guard gap > silenceLimit, gap <= Self.maximumSilenceLimit else { return }
        silenceLimit = min(gap * 1.2, Self.maximumSilenceLimit)
    }
}
