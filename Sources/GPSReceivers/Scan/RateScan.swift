// SPDX-License-Identifier: MIT
package import GNSS

/// Finds the rate of a line by listening at one after the other. It knows no clock: it is told the
/// time, and says until when to listen.
///
/// Receivers talk in bursts. What comes before the first pause may be the rest of a burst, which is
/// noise even at the right rate: it can only speak for the rate, never against it.
package struct RateScan: Sendable {
    /// What is to be done.
    package enum Step: Equatable, Sendable {
        case stay
        case change(BaudRate)
        /// The present rate is the line's.
        case found
    }

    /// Without a byte for so long there is a pause.
    package static let pause = Duration.milliseconds(50)
    /// Silence is left after so long: the usual second and a margin.
    private static let patience = Duration.milliseconds(1200)
    /// Receivers that speak every ten seconds exist.
    private static let greatestPatience = Duration.seconds(12)

    /// The rate that is listened at.
    package var baudRate: BaudRate { rates[index] }
    /// Whether bytes have come at a rate that was left: then the rate is a finding.
    package private(set) var hasHeardNoise = false
    /// How often all rates have been tried.
    package private(set) var round = 0

    private let rates: [BaudRate]
    private var index = 0
    private var since: MonotonicInstant
    /// The last byte at this rate.
    private var lastByte: MonotonicInstant?
    /// The last byte at any rate.
    private var lastHeard: MonotonicInstant?
    private var hasPaused = false
    private var wantsToLeave = false
    private var messages = 0
    private var textBurstCount = 0
    private var burst = Burst()
    private var hasHeardAnything = false
    private var isDormant = false
    private var patience = Self.patience

    /// The bytes between two pauses.
    private struct Burst {
        var count = 0
        var textCount = 0
        var mayBeBinary = false

        /// Sampled at half its rate, text still is so in 82 of 100 bytes; of few, in all.
        var looksLikeText: Bool { count >= 24 && textCount * 100 >= count * 95 }
        var isGarbage: Bool { count >= 24 && textCount * 100 < count * 60 && !mayBeBinary }
    }

    /// Begins with the first of the rates; there must be one.
    package init?(_ rates: [BaudRate], at now: MonotonicInstant) {
        guard !rates.isEmpty else { return nil }
        self.rates = rates
        since = now
    }

    /// When to call `silence(at:)` if no bytes come before; nil once nothing at all has come at any
    /// rate, and there is nothing to decide until something does.
    package var deadline: MonotonicInstant? {
        if isDormant { return nil }
        let last = lastByte ?? since
        guard isInPause else {
            let end = last + Self.pause
            return wantsToLeave ? min(end, since + hold) : end
        }
        return wantsToLeave ? since + hold : last + currentPatience
    }

    /// Processes bytes, of which so many look like text, and what the detector found in them.
    package mutating func received(
        _ count: Int, textCount: Int, _ found: MessageDetector.Result, at now: MonotonicInstant
    ) -> Step {
        noteGap(until: now)
        hasHeardAnything = true
        isDormant = false
        lastByte = now
        burst.count += count
        burst.textCount += textCount
        burst.mayBeBinary = burst.mayBeBinary || found.mayBeBinary
        messages += found.messages
        // One may be chance, though none was ever seen at a wrong rate.
        if messages >= 2 { return .found }
        guard messages == 0 else { return .stay }
        // A binary message may be long; a line without pauses has had its chance.
        let most = !hasPaused ? 400 : burst.mayBeBinary ? 1200 : 200
        if burst.count >= most || hasPaused && burst.isGarbage { return leave(at: now) }
        return .stay
    }

    /// Call when no bytes have come until the deadline.
    package mutating func silence(
        _ found: MessageDetector.Result = MessageDetector.Result(), at now: MonotonicInstant
    ) -> Step {
        messages += found.messages
        if messages >= 2 { return .found }
        if wantsToLeave, now >= since + hold { return next(at: now) }
        let last = lastByte ?? since
        if isInPause { return now >= last + currentPatience ? leave(at: now) : .stay }
        guard now >= last + Self.pause else { return .stay }
        let ended = burst
        let isFirst = !hasPaused
        hasPaused = true
        burst = Burst()
        guard !isFirst, ended.count > 0, messages == 0 else { return .stay }
        // Half a sentence, whose end comes late; but not for ever.
        if ended.looksLikeText, textBurstCount < 2 {
            textBurstCount += 1
            return .stay
        }
        return leave(at: now)
    }

    // MARK: Leaving

    private var isInPause: Bool { hasPaused && burst.count == 0 }

    /// Where a message has been heard, the next is worth waiting for.
    private var currentPatience: Duration {
        messages > 0 ? max(patience * 3, .seconds(6)) : patience
    }

    /// How long a rate is kept at least. Once all have been tried in vain there is no hurry, and a
    /// line that never makes sense must not be set all the time.
    private var hold: Duration {
        round == 0 ? .zero : min(.seconds(1 << min(round, 4)), .seconds(10))
    }

    private mutating func leave(at now: MonotonicInstant) -> Step {
        guard now >= since + hold else {
            wantsToLeave = true
            burst = Burst()
            return .stay
        }
        return next(at: now)
    }

    private mutating func next(at now: MonotonicInstant) -> Step {
        let before = baudRate
        hasHeardNoise = hasHeardNoise || lastByte != nil
        index += 1
        if index == rates.count {
            index = 0
            round += 1
            // A round of silence says nothing about rates.
            isDormant = !hasHeardAnything
            hasHeardAnything = false
        }
        since = now
        lastByte = nil
        hasPaused = isDormant
        wantsToLeave = false
        messages = 0
        textBurstCount = 0
        burst = Burst()
        return baudRate == before ? .stay : .change(baudRate)
    }

    /// The time between bursts is learned: a slow receiver is worth waiting for.
    private mutating func noteGap(until now: MonotonicInstant) {
        defer { lastHeard = now }
        guard let lastHeard else { return }
        let gap = lastHeard.duration(to: now)
        // A longer one was no receiver's pause: it was pulled out, or the machine slept.
        guard gap > patience, gap <= Self.greatestPatience else { return }
        patience = min(gap * 1.2, Self.greatestPatience)
    }
}
