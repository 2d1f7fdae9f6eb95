// SPDX-License-Identifier: MIT
import GNSS

/// Records the arrival delays of the receiver's fixes, measured with this machine's monotonic
/// clock, over the last minute: two halves of 30 seconds.
///
/// Single delays vary, because sentences arrive up to a second late. The shortest delay in 30
/// seconds is stable.
struct ClockHistory: Sendable {
    /// The statistics of the delays in a period of five seconds.
    private struct Bucket {
        var count = 0.0
        var minimum = Double.infinity
        var sum = 0.0
        var squares = 0.0

        mutating func add(_ delay: Double) {
            count += 1
            minimum = min(minimum, delay)
            sum += delay
            squares += delay * delay
        }

        mutating func add(_ other: Bucket) {
            count += other.count
            minimum = min(minimum, other.minimum)
            sum += other.sum
            squares += other.squares
        }
    }

    /// The statistics of the delays in 30 seconds. Values are in seconds.
    struct Half {
        /// The shortest delay.
        var minimum: Double
        /// The standard deviation of the delays.
        var spread: Double
    }

    private static let bucketCount = 12
    /// The length of a bucket, in seconds.
    private static let length = 5.0
    /// The minimum number of buckets with a fix in 30 seconds. They need not be consecutive,
    /// because false signals often begin with a loss of the fix.
    private static let minimumBuckets = 3
    /// The time after the first delay until delays can be compared, in seconds.
    private static let minimumSpan = 25.0

    /// The range of `lateness`, in seconds, for a fix with the correct time.
    static let punctual = -0.2...2.0
    /// The longest delay of a fix on a busy machine, in seconds. A fix that is farther behind the
    /// system's clock has a wrong date.
    static let longestDelay = 60.0
    /// The smallest correction of the receiver's time, in seconds. Smaller differences are caused
    /// by varying delays.
    private static let shortestCorrection = 0.7
    /// The time after a search in which a receiver learns the number of leap seconds, in seconds.
    private static let learning = 800.0
    /// The possible corrections of the receiver's time by leap seconds, in seconds.
    private static let leapSeconds = 1.0...18
    /// The largest difference between two consecutive intervals of the receiver's time, in seconds,
    /// that rounding can cause. At 3 Hz, intervals of times with two decimals differ by 0.01 s.
    private static let rounding = 0.012
    /// The time in seconds after which the machine may have been suspended, if no fix arrives, not
    /// even one without a position. It is two intervals of the receiver's time if that is longer.
    private static let longestSilence = 5.0
    /// The error of the machine's clock after a suspend, in seconds. Many machines measure a suspend
    /// with a real-time clock that counts whole seconds.
    private static let suspendError = 1.5

    private var origin: (instant: MonotonicInstant, time: Int64)?
    /// A ring buffer; `current` is the index of the newest bucket.
    private var buckets: [Bucket]
    private var current = 0
    private var end = 0.0
    /// The time since the first delay, in seconds.
    private var elapsed = 0.0
    /// The system's clock minus the time of the last fix, in seconds; `nil` if unknown.
    private(set) var lateness: Double?
    /// Whether a correction of the leap seconds was accepted while the system's clock was wrong. A
    /// receiver learns the leap seconds only once, so only one such correction is accepted.
    private var hasLearned = false
    /// The receiver's time at the last fix, in nanoseconds.
    private var lastTime: Int64?
    /// The receiver's time between the last two fixes, in seconds; `nil` before the second fix.
    private var interval: Double?
    /// The value of `elapsed` at the last fix whose interval differed from the previous interval,
    /// or which followed repeated times; `nil` if there was none.
    private var irregularity: Double?
    /// Whether the receiver has repeated times (`Fix.followsRepeatedTimes`) since the last fix with a
    /// time and a position.
    private var hasGoneBack = false
    private var lastArrival: MonotonicInstant?
    /// Whether there was a silence since the last fix with a time and a position.
    private var isAfterSilence = false
    /// The value of `elapsed` after the last silence; `nil` if there was none.
    private var silence: Double?

    init() {
        buckets = Array(repeating: Bucket(), count: Self.bucketCount)
    }

    /// The last delay, in seconds relative to the first one.
    private(set) var delay = 0.0
    /// Whether the receiver corrected its time with the last fix. The time now agrees with the
    /// system's clock, and before it did not. If the system's clock is wrong, the time went back by
    /// leap seconds.
    private(set) var isCorrected = false

    /// Whether the receiver's time advanced by the same interval with each fix, and did not go
    /// back (`Fix.followsRepeatedTimes`), for as long as the delays are recorded.
    ///
    /// A change of the delays is then most likely caused by the line: a backlog after a stall
    /// becomes shorter, or a busy machine reads late. But a receiver that reports its time in whole
    /// seconds also seems steady if its time jumps by less than a second.
    var isSteady: Bool { isOver(irregularity) }

    /// The possible error of the delays in seconds, if the machine may have been suspended
    /// recently; otherwise 0.
    var tolerance: Double { isOver(silence) ? 0 : Self.suspendError }

    /// Returns whether all recorded delays are later than an event, given as a value of `elapsed`;
    /// `true` without an event.
    private func isOver(_ event: Double?) -> Bool {
        event.map { elapsed - $0 > Self.length * Double(Self.bucketCount + 1) } ?? true
    }

    /// Drops all delays but keeps `hasLearned`.
    mutating func forget() {
        origin = nil
        (lastTime, interval, irregularity, silence) = (nil, nil, nil, nil)
        for index in buckets.indices { buckets[index] = Bucket() }
        (delay, elapsed, hasGoneBack) = (0, 0, false)
    }

    /// Calculates `delay` for a fix. Returns `false` if the fix has no time, no position or no
    /// arrival time. Drops the delays before a correction.
    mutating func take(_ epoch: EpochEvidence) -> Bool {
        noteSilence(before: epoch.moment.instant)
        if epoch.fix.followsRepeatedTimes == true { hasGoneBack = true }
        guard let instant = epoch.moment.instant, let time = epoch.fix.time, epoch.hasPosition
        else { return false }
        let nanoseconds = time.unixNanoseconds
        isCorrected = corrects(time, epoch)
        if isCorrected { forget() }
        defer { lastTime = nanoseconds }
        guard let origin else {
            origin = (instant, nanoseconds)
            end = Self.length
            return true
        }
        elapsed = instant.seconds(since: origin.instant)
        delay = elapsed - nanoseconds.seconds(since: origin.time)
        compareInterval(to: nanoseconds)
        if hasGoneBack { (irregularity, hasGoneBack) = (elapsed, false) }
        if isAfterSilence { (silence, isAfterSilence) = (elapsed, false) }
        // After a long gap, all buckets are emptied at the same time.
        end = max(end, elapsed - Self.length * Double(Self.bucketCount))
        while elapsed >= end {
            end += Self.length
            current = (current + 1) % Self.bucketCount
            buckets[current] = Bucket()
        }
        return true
    }

    /// Records a silence: no fix arrived for some time, not even a fix without a position.
    private mutating func noteSilence(before arrival: MonotonicInstant?) {
        defer { lastArrival = arrival }
        guard let arrival, let lastArrival else { return }
        let longest = max(Self.longestSilence, 2 * (interval ?? 0))
        if arrival.seconds(since: lastArrival) > longest { isAfterSilence = true }
    }

    /// Compares the time since the last fix with the interval before.
    private mutating func compareInterval(to nanoseconds: Int64) {
        guard let lastTime else { return }
        let new = nanoseconds.seconds(since: lastTime)
        if let interval, abs(new - interval) > Self.rounding { irregularity = elapsed }
        interval = new
    }

    /// Returns whether the receiver has corrected its time since the previous fix. After a
    /// correction, its time agrees with the system's clock, and before it did not.
    ///
    /// A receiver learns the number of leap seconds up to 12.5 minutes after a cold start. Until
    /// then, its time is some seconds ahead. It may also correct its date. The system's clock may
    /// be wrong, as on a board without a battery. Then, a single step back by whole seconds is
    /// accepted as a correction of the leap seconds.
    private mutating func corrects(_ time: UTCTime, _ epoch: EpochEvidence) -> Bool {
        let former = lateness
        lateness = epoch.moment.system.map {
            $0.unixNanoseconds.seconds(since: time.unixNanoseconds)
        }
        guard let former, let lateness else { return false }
        guard Self.punctual ~= lateness else {
            guard !hasLearned, min(abs(former), abs(lateness)) > Self.longestDelay,
                epoch.beganWithSearch, epoch.age <= Self.learning,
                isLeapSecondsBack(to: time.unixNanoseconds)
                    || hasGoneBack && areLeapSeconds(lateness - former)
            else { return false }
            hasLearned = true
            return true
        }
        let wasWrong = former < Self.punctual.lowerBound || former > Self.longestDelay
        return wasWrong && abs(lateness - former) > Self.shortestCorrection
    }

    /// Returns whether a change of the delay, in seconds, may be caused by leap seconds: 1 to 18 s,
    /// after rounding to whole seconds, because delays vary.
    private func areLeapSeconds(_ change: Double) -> Bool {
        Self.leapSeconds ~= change.rounded()
    }

    /// Returns whether the receiver's time goes back by whole seconds, as by leap seconds.
    private func isLeapSecondsBack(to nanoseconds: Int64) -> Bool {
        guard let lastTime, let interval else { return false }
        let back = interval - nanoseconds.seconds(since: lastTime)
        return Self.leapSeconds ~= back.rounded() && abs(back - back.rounded()) <= Self.rounding
    }

    /// Adds `delay` to the newest bucket. Call it after comparing `delay` with the others.
    mutating func record() { buckets[current].add(delay) }

    /// The statistics of the last 30 seconds; `nil` if there are too few fixes.
    var newer: Half? { half(0) }

    /// The statistics of the 30 seconds before `newer`; `nil` if there are too few fixes.
    var older: Half? { half(Self.bucketCount / 2) }

    /// The statistics of the most recent 30 seconds with enough fixes; `nil` if there are none.
    var recent: Half? { newer ?? older }

    private func half(_ age: Int) -> Half? {
        guard elapsed >= Self.minimumSpan else { return nil }
        var (sum, known) = (Bucket(), 0)
        for age in age..<(age + Self.bucketCount / 2) {
            let bucket = buckets[(current + Self.bucketCount - age) % Self.bucketCount]
            if bucket.count > 0 { known += 1 }
            sum.add(bucket)
        }
        guard known >= Self.minimumBuckets else { return nil }
        let mean = sum.sum / sum.count
        return Half(
            minimum: sum.minimum, spread: max(0, sum.squares / sum.count - mean * mean).squareRoot()
        )
    }
}

extension Int64 {
    /// Returns the seconds since another time, both as Unix times in nanoseconds.
    func seconds(since earlier: Int64) -> Double {
        Double(subtractingReportingOverflow(earlier).partialValue) / 1e9
    }
}

/// Detects that the receiver's time runs at a different rate from this machine's clock.
///
/// It compares the shortest arrival delay of the first minute with the shortest delay of the last
/// minute, over up to ten minutes.
struct ClockRate: FixTest {
    static let name = Integrity.Test.clockRate
    static let evidence = Integrity.Evidence.time
    static let unit = "ppm"

    /// The maximum number of minutes in the comparison.
    private static let minuteCount = 10
    /// The part of a change of the shortest delay, in seconds, that can be caused by chance, or by
    /// NTP when it slews this machine's clock. ntpd corrects larger differences with a step, which
    /// does not affect the monotonic clock.
    private static let noise = 0.12
    /// The largest relative difference between the rates that `fastRate` reports. It is larger for
    /// a recording that another program replays at another pace.
    private static let largestRate = 0.25

    private var history = ClockHistory()
    private var minutes: [Double]
    private var filled = 0
    private var minuteEnd: Double?
    private var minimum = Double.infinity
    /// The shortest delay in the last minute, in seconds; `nil` before the end of the first one.
    private var lastMinimum: Double?
    /// The shortest delay in the last minute minus that in the minute before, in seconds.
    private var lastChange = 0.0
    /// The shortest delay in all minutes before the last one, in seconds.
    private var lowest = Double.infinity

    init() {
        minutes = Array(repeating: 0, count: Self.minuteCount)
    }

    static func text(_ finding: TestHit) -> String {
        "receiver clock runs \(String(finding.value, decimals: 0)) ppm too fast or too slow, "
            + "compared with this machine's, for \(String(finding.details.0, decimals: 0)) min"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        if epoch.fix.time?.isNearLeapSecond ?? false { self = Self() }
        guard history.take(epoch) else { return .unavailable }
        if history.isCorrected {
            (filled, minuteEnd, minimum) = (0, nil, .infinity)
            (lastMinimum, lastChange, lowest) = (nil, 0, .infinity)
        }
        history.record()
        minimum = min(minimum, history.delay)
        let end = minuteEnd ?? epoch.moment.now + 60
        minuteEnd = end
        guard epoch.moment.now >= end else { return filled > 1 ? .quiet : .unavailable }
        if epoch.moment.now - end > 60 {
            self = Self()
            return .unavailable
        }
        let spread = history.newer?.spread ?? 0
        let jumpLimit = settings.preciseClockStep + spread
        let change = lastMinimum.map { minimum - $0 } ?? 0
        // A jump of the time is not a difference in rate.
        if abs(change) > jumpLimit { filled = 0 }
        // The duration of a suspend is measured inaccurately, so the limit is higher after a
        // suspend. Two suspends do not count as a drift.
        let fastRate = fastRate(change, jumpLimit + history.tolerance)
        lowest = min(lowest, lastMinimum ?? .infinity)
        (lastMinimum, lastChange) = (minimum, change)
        if filled == Self.minuteCount {
            for index in 1..<Self.minuteCount { minutes[index - 1] = minutes[index] }
            filled -= 1
        }
        minutes[filled] = minimum
        filled += 1
        (minuteEnd, minimum) = (end + 60, .infinity)
        if let fastRate {
            return .found(
                .event, fastRate * 1e6, beyond: jumpLimit / 120 * 1e6, details: (2, 0))
        }
        guard filled > 1 else { return .unavailable }
        let whole = abs(minutes[filled - 1] - minutes[0])
        let time = 60 * Double(filled - 1)
        let limit = settings.clockRate * time + Self.noise + 3 * spread
        guard whole > limit else { return .quiet }
        return .found(
            .event, whole / time * 1e6, beyond: limit / time * 1e6,
            details: (Double(filled - 1), 0))
    }

    /// Returns the relative difference between the rates if the receiver's time gains more than
    /// `jumpLimit` seconds in this minute and half as much in the previous one; otherwise `nil`.
    /// `change` is the change of the shortest delay in this minute.
    ///
    /// After a stall of the line, the delays become shorter, too, but not shorter than before the
    /// stall. A time that runs too slowly by as much is not detected here, because data that is
    /// delayed more and more looks the same.
    private func fastRate(_ change: Double, _ jumpLimit: Double) -> Double? {
        guard change < -jumpLimit, lastChange < -jumpLimit / 2, minimum < lowest - jumpLimit,
            min(change, lastChange) >= -60 * Self.largestRate
        else { return nil }
        return -(change + lastChange) / 120
    }
}

/// Detects that the rate of the receiver's oscillator changed suddenly, or that its phase jumped.
///
/// In a second, temperature changes the oscillator's rate by at most a few nanoseconds per second.
/// When a receiver switches to false signals with another time, the computed rate follows these
/// signals.
struct OscillatorChange: FixTest {
    static let name = Integrity.Test.receiverClock
    static let evidence = Integrity.Evidence.oscillator
    static let unit = "ns/s"

    /// The bias is reported modulo this period, in nanoseconds.
    private static let period = 1e6
    /// The shortest and the longest time over which rates are measured, in seconds.
    private static let span = 0.9...5.0
    /// The worst accuracy of the time, in seconds, with which the clock state is used. If the
    /// accuracy is worse, the receiver is still searching for satellites.
    private static let worstAccuracy = 1e-6
    /// Changes of the bias up to this multiple of the worst accuracy of three samples are noise.
    private static let noise = 4.0

    private struct Sample {
        var clock: ReceiverClock
        /// The accuracy of the time in seconds; 0 if it is not reported.
        var accuracy: Double
        /// The rate between the previous sample and this one, and the accuracy of the previous
        /// sample; `nil` for the first sample.
        var former: (rate: Double, accuracy: Double)?
    }

    private var last: Sample?
    private var elapsed = 0.0

    static func text(_ finding: TestHit) -> String {
        "rate of the receiver's oscillator changed by \(String(finding.value, decimals: 0)) ns/s "
            + "in \(String(finding.details.0, atMostDecimals: 1)) s"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        let accuracy = epoch.fix.accuracy.time ?? 0
        // While a receiver computes its position without signals, it extrapolates its time.
        guard let clock = epoch.fix.receiverClock, epoch.fix.mode == .threeD,
            epoch.fix.quality != .estimated, let step = epoch.step, step > 0,
            accuracy <= Self.worstAccuracy
        else {
            self = Self()
            return .unavailable
        }
        elapsed += step
        guard let last, elapsed <= Self.span.upperBound else {
            (last, elapsed) = (Sample(clock: clock, accuracy: accuracy), 0)
            return .unavailable
        }
        guard elapsed >= Self.span.lowerBound else { return .unavailable }
        var change = 0.0
        var sample = Sample(clock: clock, accuracy: accuracy)
        if let now = clock.drift, let before = last.clock.drift {
            change = abs(Double(now) - Double(before))
        }
        if let now = clock.bias, let before = last.clock.bias {
            let moved = (Double(now) - Double(before)).remainder(dividingBy: Self.period)
            let own = moved / elapsed
            if let former = last.former {
                // Both rates come from the same three samples. When more satellites are received
                // again, the receiver corrects an error of its time. The worst of the three
                // accuracies limits that error.
                let worst = max(accuracy, last.accuracy, former.accuracy)
                let difference = abs(own - former.rate)
                if difference >= Self.noise * worst * 1e9 / elapsed {
                    change = max(change, difference)
                }
            }
            sample.former = (own, last.accuracy)
        }
        let time = elapsed
        (self.last, elapsed) = (sample, 0)
        guard epoch.age >= settings.warmUp else { return .unavailable }
        guard change > settings.driftWarning else { return .quiet }
        let isHard = change > settings.driftAlarm
        return .found(
            isHard ? .hard : .event, change,
            beyond: isHard ? settings.driftAlarm : settings.driftWarning, details: (time, 0))
    }
}
