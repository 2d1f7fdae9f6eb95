// SPDX-License-Identifier: MIT
public import GNSS

/// Compares the fixes of several receivers in one vehicle and selects one of them, unchanged.
///
/// At each time, the largest group of receivers that agree wins, and the fix of its most accurate
/// member is selected. Positions are not averaged, because nearby receivers have common errors. The
/// vote has no clock. Pass it each fix, call `wake(at:)` at the time `wakeAt`, and read the
/// results:
///
/// ```swift
/// vote.receive(fix, from: 0, arrival: arrival, at: now)
/// while let decision = vote.next() { show(decision) }
/// ```
public struct ReceiverVote: Sendable {
    /// The maximum number of receivers.
    public static let maximumCount = 8
    /// The largest time difference between fixes for the same instant, in seconds, for receivers
    /// with up to 10 fixes per second.
    static let tolerance = 0.05

    /// A pending decision for one instant, which waits for the fixes of other receivers.
    private struct Round {
        let base: VoteInstant
        /// The time at which the vote decides without the missing fixes.
        let deadline: MonotonicInstant
    }

    /// The thresholds of the vote.
    public let settings: Settings
    var receivers: [VotingReceiver]
    var agreement: Agreement
    var collapse = AntennaCollapse()
    private(set) var sharedTime: SharedTime
    /// The index of the receiver whose fixes are selected; `nil` before the first decision.
    var winner: Int?
    /// The index of a receiver that is more accurate than the winner, and the time since which it
    /// is more accurate; `nil` if there is none.
    var challenger: (index: Int, since: VoteInstant)?
    /// The time when the current dispute between receivers began; `nil` without a dispute.
    var dispute: (time: UTCTime?, arrival: MonotonicInstant?)?
    private var round: Round?
    /// The last round that was decided.
    private var closed: Round?
    /// The time of the last result.
    private var sent: VoteInstant?
    private var decisions: [VoteDecision] = []

    /// Creates a vote with one receiver for each element of `antennas`. An element is the position
    /// of the receiver's antenna, or `nil` if unknown. Receivers beyond `maximumCount` do not take
    /// part.
    public init(antennas: [LeverArm?], settings: Settings = Settings()) {
        self.settings = settings
        receivers = antennas.prefix(Self.maximumCount).enumerated().map {
            VotingReceiver($0.offset, lever: $0.element)
        }
        sharedTime = SharedTime(count: receivers.count)
        agreement = Agreement(count: receivers.count)
    }

    /// The time at which to call `wake(at:)`; `nil` if the vote is not waiting for a fix.
    public var wakeAt: MonotonicInstant? { round?.deadline }

    /// Removes and returns the oldest result; `nil` if there is none.
    public mutating func next() -> VoteDecision? {
        decisions.isEmpty ? nil : decisions.removeFirst()
    }

    /// Adds a fix from a receiver, with or without a position.
    ///
    /// - Parameters:
    ///   - fix: The next fix of the receiver.
    ///   - index: The index of the receiver, as in `antennas`.
    ///   - arrival: When the first byte of the fix arrived. Pass `nil` for a recording, which is
    ///     compared by the times of its fixes.
    ///   - now: The current time of this machine's clock. Fixes without a time are compared by it.
    public mutating func receive(
        _ fix: Fix, from index: Int, arrival: MonotonicInstant?, at now: MonotonicInstant
    ) {
        guard receivers.indices.contains(index) else { return }
        wake(at: now)
        while receivers[index].isPending, round != nil { finishRound(at: now, isEarly: true) }
        let instant = VoteInstant(
            receiver: index, time: fix.time, timeOfDay: fix.timeOfDay, arrival: arrival,
            received: now)
        let step = sharedTime.seconds(from: receivers[index].instant, to: instant).seconds
        receivers[index].receive(fix, at: instant, step: step)
        let known = receivers.lazy.filter { $0.count > 0 }.map(\.instant)
        sharedTime.update(instant, with: known)
        guard receivers[index].isPending else {
            reportNoPosition(index)
            return finishCompleteRounds(at: now)
        }
        if receivers[index].isCatchingUp, hasCurrentFix(besides: index, at: now) {
            (receivers[index].isPending, receivers[index].isMissing) = (false, true)
            return finishCompleteRounds(at: now)
        }
        restartIfBack(to: instant)
        if let base = round?.base ?? closed?.base {
            let lateness = sharedTime.seconds(from: instant, to: base).seconds
            let isLate = round == nil ? lateness >= -tolerance : lateness > tolerance
            if isLate { return receiveLate(index, at: instant, lateness, now) }
        }
        receivers[index].isPunctual = true
        if round == nil { begin(instant, of: index, at: now) }
        finishCompleteRounds(at: now)
    }

    /// Removes a lost receiver from the vote. It takes part again with its next fix.
    public mutating func lose(_ index: Int, at now: MonotonicInstant) {
        guard receivers.indices.contains(index) else { return }
        receivers[index].leave()
        collapse.lose(index)
        finishCompleteRounds(at: now)
    }

    /// Decides without missing fixes if their deadline has passed.
    public mutating func wake(at now: MonotonicInstant) {
        while let round, now >= round.deadline { finishRound(at: now) }
    }

    // MARK: Times

    /// The largest time difference between fixes for the same instant, in seconds. It is at most
    /// half the time between two fixes of any receiver, so that consecutive fixes never belong to
    /// the same instant.
    private var tolerance: Double {
        var shortest = Self.tolerance
        for receiver in receivers where receiver.coordinate != nil {
            shortest = min(shortest, receiver.tolerance)
        }
        return shortest
    }

    /// Returns the age of a receiver's last fix at a given time, in seconds.
    func age(of index: Int, at base: VoteInstant) -> Double {
        sharedTime.seconds(from: receivers[index].instant, to: base).seconds
    }

    // MARK: Rounds

    private mutating func begin(_ base: VoteInstant, of index: Int, at now: MonotonicInstant) {
        let wait = settings.wait * min(1, receivers[index].period)
        round = Round(base: base, deadline: now + .seconds(wait))
    }

    private mutating func finishCompleteRounds(at now: MonotonicInstant) {
        while let base = round?.base, isComplete(at: base) { finishRound(at: now) }
    }

    /// Returns whether all punctual receivers have sent their fixes for this time.
    private func isComplete(at base: VoteInstant) -> Bool {
        receivers.indices.allSatisfy { index in
            let receiver = receivers[index]
            return receiver.coordinate == nil || receiver.isPending || !receiver.isPunctual
                || !receiver.isDue(after: age(of: index, at: base))
        }
    }

    /// Decides the current round. `isEarly` means that the next fix of a receiver arrived before the
    /// deadline, as when a receiver that had stalled sends many fixes at once.
    private mutating func finishRound(at now: MonotonicInstant, isEarly: Bool = false) {
        guard let finished = round else { return }
        let base = finished.base
        (round, closed) = (nil, finished)
        var present: ReceiverSet = []
        for index in receivers.indices where receivers[index].coordinate != nil {
            let age = age(of: index, at: base)
            if receivers[index].isPending {
                guard age >= -tolerance else { continue }
                receivers[index].isPending = false
                present.insert(ReceiverSet(index))
            } else if !isEarly || base.arrival == nil || isOverdue(index, at: now) {
                // A receiver that always sends late may still send a fix for this time, so it gets
                // one period more.
                let longest = receivers[index].isPunctual ? age : age - receivers[index].period
                if receivers[index].isDue(after: longest) { receivers[index].isMissing = true }
            }
        }
        decide(at: base, present)
        let waiting = receivers.indices.filter { receivers[$0].isPending }
        let earliest = waiting.max {
            age(of: $0, at: base) < age(of: $1, at: base)
        }
        if let earliest { begin(receivers[earliest].instant, of: earliest, at: now) }
    }

    /// Returns whether a receiver's next fix should have arrived by now, on this machine's clock.
    private func isOverdue(_ index: Int, at now: MonotonicInstant) -> Bool {
        let receiver = receivers[index]
        guard let last = receiver.instant.received else { return true }
        return now.seconds(since: last) >= (1 + settings.wait) * receiver.period
    }

    /// Returns whether another receiver has a current position: its last fix arrived without a
    /// delay, and its next one is not overdue.
    private func hasCurrentFix(besides index: Int, at now: MonotonicInstant) -> Bool {
        receivers.indices.contains {
            $0 != index && receivers[$0].coordinate != nil && !receivers[$0].isCatchingUp
                && !isOverdue($0, at: now)
        }
    }

    private mutating func decide(at base: VoteInstant, _ present: ReceiverSet) {
        guard var decision = decision(at: base, present) else { return }
        guard present.contains(ReceiverSet(decision.receiver)), isNew(base) else { return }
        decision.number = receivers[decision.receiver].count
        sent = base
        decisions.append(decision)
    }

    private func isNew(_ instant: VoteInstant) -> Bool {
        sent.map { sharedTime.seconds(from: $0, to: instant).seconds > tolerance } ?? true
    }

    // MARK: Special cases

    /// Handles a fix for a time that has been decided, or that is earlier than the time of the
    /// pending decision. `lateness` is the time from the fix to that of the decision, in seconds.
    private mutating func receiveLate(
        _ index: Int, at instant: VoteInstant, _ lateness: Double, _ now: MonotonicInstant
    ) {
        receivers[index].isPending = false
        // The receiver is punctual if the fix arrived before the deadline of that time.
        let isSameInstant = abs(lateness) <= tolerance
        receivers[index].isPunctual = isSameInstant && closed.map { now <= $0.deadline } ?? true
        guard index == winner, isNew(instant) else { return }
        decide(at: instant, ReceiverSet(index))
    }

    /// Starts again if the time of a recording goes back by more than ten seconds.
    private mutating func restartIfBack(to instant: VoteInstant) {
        guard instant.arrival == nil, let base = closed?.base,
            sharedTime.seconds(from: base, to: instant).seconds < -10
        else { return }
        (closed, sent, challenger) = (nil, nil, nil)
    }

    /// Adds the result `noPosition` if no receiver has a position.
    private mutating func reportNoPosition(_ index: Int) {
        let instant = receivers[index].instant
        func isAlive(_ other: Int) -> Bool {
            let receiver = receivers[other]
            return receiver.count > 0 && !receiver.isGone
                && age(of: other, at: instant) < 2 * receiver.period
        }
        guard !receivers.indices.contains(where: { receivers[$0].coordinate != nil && isAlive($0) })
        else { return }
        if let winner, winner != index, isAlive(winner) { return }
        winner = index
        (challenger, dispute) = (nil, nil)
        guard isNew(instant) else { return }
        sent = instant
        decisions.append(
            VoteDecision(state: .noPosition, receiver: index, number: receivers[index].count))
    }
}

extension ReceiverVote {
    /// The thresholds of a `ReceiverVote`.
    public struct Settings: Hashable, Sendable {
        /// The threshold for the difference between two positions, in standard deviations of that
        /// difference. In one epoch in a million, it is exceeded by chance.
        public var threshold = 5.26
        /// Two receivers that agree begin to disagree beyond this multiple of the threshold.
        public var disagreement = 1.25
        /// Two receivers that disagree agree again within this multiple of the threshold.
        public var agreement = 0.5
        /// The one-sigma error of a position, in metres, that the reported accuracy does not
        /// include. It is caused by rounding and by errors in measuring the antenna's position on
        /// the vehicle.
        var resolution = 0.5
        /// The assumed 68 % radius for a receiver that does not report an accuracy, in metres.
        var assumedAccuracy = 20.0
        /// The assumed one-sigma accuracy of a velocity whose accuracy is not reported, in metres
        /// per second.
        package var speedAccuracy = 0.5
        /// The longest time over which a position is extrapolated to the time of another one, in
        /// seconds. For a receiver that is always late, it is longer by the time between two fixes,
        /// up to one second.
        var longestAge = 1.05
        /// The acceleration that is possible while a position is extrapolated over more than
        /// `longestAge`, in m/s².
        var acceleration = 3.0
        /// A receiver counts as more accurate than the winner if its error is below this fraction
        /// of the winner's error.
        var improvement = 0.9
        /// The time for which a receiver must be more accurate before it becomes the winner, in
        /// seconds.
        public var switchDelay = 2.0
        /// The time for which the vote waits for the other receivers' fixes, as a fraction of the
        /// time between two fixes.
        public var wait = 0.8
        /// The minimum distance between two antennas, in metres, at which the vote checks whether
        /// both report the same point.
        var collapseArm = 3.0
        /// The time for which two antennas must report the same point before this is evidence, in
        /// seconds. The evidence ends when one of them has had no position for this time.
        var collapseTime = 10.0

        /// Creates the defaults.
        public init() {}
    }
}

/// One receiver of a vote, with its last fix and its timing.
struct VotingReceiver {
    /// How trustworthy a receiver is. Only receivers of the best rank that is present can win.
    enum Rank: Int, Comparable {
        case sound
        /// The fix is 2D or based on dead reckoning.
        case incomplete
        /// The digits of the position do not change although the receiver moves.
        case frozen
        /// The integrity state is `alarm`.
        case alarm

        static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    /// The minimum speed, in metres per second, at which consecutive positions must differ.
    private static let movingSpeed = 1.0

    let lever: LeverArm?
    /// The last fix; `nil` if the receiver is lost or has no position.
    private(set) var fix: Fix?
    private(set) var error: PlaneError?
    private(set) var instant: VoteInstant
    /// The acceleration between the last two fixes in m/s²; 0 if unknown.
    private(set) var acceleration = 0.0
    /// The number of fixes so far.
    private(set) var count = 0
    /// The usual time between two fixes, in seconds.
    private(set) var period = 1.0
    private var lastStep = 0.0
    /// Whether the receiver was unplugged and has not sent a fix since.
    private(set) var isGone = false
    /// Whether the vote has not used the last fix yet.
    var isPending = false
    /// Whether the fix that was expected next did not arrive.
    var isMissing = false
    /// Whether the receiver, or the connection to it, had stalled, and its delayed fixes now arrive
    /// in quick succession.
    private(set) var isCatchingUp = false
    /// Whether the vote waits for this receiver's fixes, because they arrive soon after the others.
    var isPunctual = true
    /// The distance in metres that the vehicle moved, according to the receivers' speeds, since a
    /// digit of this receiver's position last changed.
    private var stillDistance = 0.0
    /// The time since the last call of `move` in which no digit of the position changed, in
    /// seconds.
    private var stillSeconds = 0.0

    init(_ index: Int, lever: LeverArm?) {
        self.lever = lever
        instant = VoteInstant(
            receiver: index, time: nil, timeOfDay: nil, arrival: nil, received: nil)
    }

    var coordinate: Coordinate? { isMissing ? nil : fix?.coordinate }

    /// The rank of the last fix.
    var rank: Rank {
        guard let fix else { return .alarm }
        if fix.integrity?.state == .alarm { return .alarm }
        if stillDistance >= 1 { return .frozen }
        return fix.mode < .threeD || fix.quality == .estimated ? .incomplete : .sound
    }

    /// Stores a fix. A receiver without a position does not take part in the vote.
    ///
    /// `step` is the time since the previous fix, in seconds.
    mutating func receive(_ new: Fix, at instant: VoteInstant, step: Double) {
        count += 1
        let isFirst = count == 1
        isCatchingUp = isDelayed(at: instant)
        self.instant = instant
        isGone = false
        guard new.mode > .noFix, let coordinate = new.coordinate, coordinate.isValid else {
            lose()
            return
        }
        if let fix, !isFirst {
            // Two equal steps are needed, because a single longer step is a gap.
            if step > 0, step < 30, abs(step - lastStep) < 0.2 * step { period = step }
            lastStep = step
            acceleration = step > 0.01 ? Self.change(from: fix, to: new) / step : 0
            if fix.coordinate == coordinate {
                stillSeconds += max(0, step)
            } else {
                (stillDistance, stillSeconds) = (0, 0)
            }
        }
        fix = new
        error = PlaneError(of: new)
        (isPending, isMissing) = (true, false)
    }

    /// Returns whether a new fix is one of several that arrive together after a stall. Also returns
    /// `true` for the first fix after a receiver's clock goes back.
    private func isDelayed(at new: VoteInstant) -> Bool {
        guard let times = new.timeSeconds(since: instant),
            let arrivals = new.arrivalSeconds(since: instant)
        else { return false }
        return arrivals - times > SharedTime.maximumDelay || isCatchingUp && arrivals < 0.9 * times
    }

    /// Removes an unplugged receiver from the vote.
    mutating func leave() {
        lose()
        isGone = true
    }

    private mutating func lose() {
        (fix, error, isPending, isMissing) = (nil, nil, false, false)
        acceleration = 0
        (stillDistance, stillSeconds) = (0, 0)
    }

    /// Returns the magnitude of the difference between the velocities of two fixes, in metres per
    /// second; 0 if unknown.
    private static func change(from former: Fix, to new: Fix) -> Double {
        guard let a = former.speed, let b = new.speed else { return 0 }
        guard let start = former.course, let end = new.course else { return abs(b - a) }
        return LocalPlane.Point(speed: a, course: start)
            .distance(to: LocalPlane.Point(speed: b, course: end))
    }

    /// Updates the distance that the vehicle moved while no digit of the position changed. `others`
    /// is the median speed of the other receivers in metres per second; 0 if there are fewer than
    /// two.
    mutating func move(atSpeedOfOthers others: Double) {
        let speed = max(fix?.speed ?? 0, others)
        if speed >= Self.movingSpeed { stillDistance += speed * stillSeconds }
        stillSeconds = 0
    }

    /// The largest time difference between a fix of this receiver and another receiver's fix for
    /// the same instant, in seconds.
    var tolerance: Double { min(ReceiverVote.tolerance, period / 2) }

    /// Returns whether the next fix is due `age` seconds after the last one.
    func isDue(after age: Double) -> Bool { age >= period - tolerance }
}

/// The time of a fix according to its receiver, and its arrival time on this machine's clock.
struct VoteInstant {
    let receiver: Int
    /// The time of the fix; `nil` if it has no date.
    let time: UTCTime?
    /// The time of day of the fix; `nil` if it is not known.
    let timeOfDay: TimeOfDay?
    /// When the first byte of the fix arrived; `nil` for a recording.
    let arrival: MonotonicInstant?
    /// When the vote received the fix; `nil` before the first fix.
    let received: MonotonicInstant?

    /// Returns the seconds since `other` according to the times of the fixes; `nil` if either has
    /// none. If either has no date, the times of day are compared.
    func timeSeconds(since other: VoteInstant) -> Double? {
        guard let time, let earlier = other.time else { return timeOfDaySeconds(since: other) }
        // At midnight, a receiver may change the date some seconds after the time of day.
        if receiver == other.receiver, time.hasPreviousDate(comparedTo: earlier) {
            return Double(time.time.nanoseconds(since: earlier.time)) / 1e9
        }
        // A leap second and the midnight after it have the same Unix time.
        return time.nanoseconds(since: earlier).map { Double($0) / 1e9 } ?? .infinity
    }

    /// Returns whether one of the two fixes still has the previous date just after midnight.
    func hasOtherDateAtMidnight(than other: VoteInstant) -> Bool {
        guard let time, let otherTime = other.time else { return false }
        return time.hasPreviousDate(comparedTo: otherTime)
            || otherTime.hasPreviousDate(comparedTo: time)
    }

    /// Returns the seconds since `other` according to the times of day, up to half a day; `nil` if
    /// either has none.
    func timeOfDaySeconds(since other: VoteInstant) -> Double? {
        guard let timeOfDay, let earlier = other.timeOfDay else { return nil }
        return Double(timeOfDay.nanoseconds(since: earlier)) / 1e9
    }

    /// Returns the seconds since `other` according to the arrival times; `nil` for recordings.
    func arrivalSeconds(since other: VoteInstant) -> Double? {
        guard let arrival, let earlier = other.arrival else { return nil }
        return arrival.seconds(since: earlier)
    }

    /// Returns the seconds since `other` according to this machine's clock, for fixes without a
    /// time.
    func receivedSeconds(since other: VoteInstant) -> Double {
        guard let received, let earlier = other.received else { return 0 }
        return arrivalSeconds(since: other) ?? received.seconds(since: earlier)
    }
}

/// Determines which receivers agree about the current time, so that the times of their fixes can be
/// compared.
///
/// Two receivers agree about the time if their last fixes with equal times arrived together. If
/// they have no such fixes, they agree if the difference between the times of two fixes is within
/// 0.9 s of the difference between their arrivals. The fixes of receivers that do not agree are
/// compared by their arrivals. In recordings, which have no arrivals, they are compared by their
/// times of day, without the dates.
struct SharedTime {
    /// The largest difference between the arrivals of fixes with equal times, in seconds. It is
    /// large enough for a serial line at 9600 baud and a slow receiver.
    static let maximumDelay = 0.9
    /// The time between two fixes of one receiver is calculated from their times, unless the result
    /// differs from the time between their arrivals by more than this, in seconds. Buffered data
    /// can cause smaller differences.
    private static let maximumStep = 30.0
    /// If the times of two recordings differ by more than this value, in seconds, the recordings
    /// are from different days. Only their times of day are then compared.
    private static let otherDate = 43_200.0

    private let count: Int
    /// For each pair of receivers, the number of fixes since two with equal times last arrived
    /// together; `UInt8.max` if they never did.
    private var misses: [UInt8]

    init(count: Int) {
        self.count = count
        misses = Array(repeating: .max, count: count * count)
    }

    /// Compares a new fix with the last fixes of the other receivers.
    mutating func update(_ new: VoteInstant, with others: some Sequence<VoteInstant>) {
        for other in others where other.receiver != new.receiver {
            let indices = [
                new.receiver * count + other.receiver, other.receiver * count + new.receiver,
            ]
            let isTogether =
                abs(new.timeSeconds(since: other) ?? .infinity) <= ReceiverVote.tolerance
                && abs(new.arrivalSeconds(since: other) ?? 0) <= Self.maximumDelay
            // Receivers that agreed before midnight do so again when both have changed the date.
            let limit = new.hasOtherDateAtMidnight(than: other) ? UInt8.max - 1 : .max
            for index in indices {
                if isTogether {
                    misses[index] = 0
                } else if misses[index] < limit {
                    misses[index] += 1
                }
            }
        }
    }

    /// Returns the seconds from one fix to another, and whether the times of both receivers agree.
    /// If they do not agree, the arrivals are compared or, in recordings, the times of day.
    func seconds(
        from earlier: VoteInstant, to later: VoteInstant
    ) -> (seconds: Double, isSameTime: Bool) {
        let arrivals = later.arrivalSeconds(since: earlier)
        guard let times = timeSeconds(from: earlier, to: later) else {
            return (later.receivedSeconds(since: earlier), true)
        }
        guard let arrivals else {
            guard later.receiver != earlier.receiver, abs(times) > Self.otherDate,
                let timesOfDay = later.timeOfDaySeconds(since: earlier)
            else { return (times, true) }
            return (timesOfDay, false)
        }
        if later.receiver == earlier.receiver {
            return (abs(times - arrivals) <= Self.maximumStep ? times : arrivals, true)
        }
        if misses[later.receiver * count + earlier.receiver] <= 1 { return (times, true) }
        return abs(times - arrivals) <= Self.maximumDelay ? (times, true) : (arrivals, false)
    }

    /// Returns the seconds from one fix to another according to their times; `nil` if either has
    /// none. If one of two receivers still reports the previous date just after midnight, their
    /// times of day are compared. The dates of receivers that never agreed, or not for long, are
    /// compared even then.
    private func timeSeconds(from earlier: VoteInstant, to later: VoteInstant) -> Double? {
        guard let start = earlier.time, let end = later.time,
            earlier.receiver != later.receiver,
            misses[later.receiver * count + earlier.receiver] < .max,
            later.hasOtherDateAtMidnight(than: earlier)
        else { return later.timeSeconds(since: earlier) }
        return Double(end.time.nanoseconds(since: start.time)) / 1e9
    }
}
