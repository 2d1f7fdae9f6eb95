// SPDX-License-Identifier: MIT
public import GNSS

/// Compares the fixes of several receivers in one vehicle, and passes on one of them, unchanged.
///
/// For each instant, the largest group of receivers that agree wins, and the most accurate of its members is
/// passed on. Nothing is averaged: neighbours share the sky and its errors. It has no clock. It is given each
/// fix, and called again at `wakeAt`; results are pulled:
///
/// ```swift
/// vote.receive(fix, from: 0, arrival: arrival, at: now)
/// while let decision = vote.next() { show(decision) }
/// ```
public struct ReceiverVote: Sendable {
    /// The largest number of receivers.
    public static let maximumCount = 8
    /// Seconds within which fixes belong to one instant.
    static let tolerance = 0.05

    /// The fixes of one instant that have arrived so far.
    private struct Round {
        let base: VoteInstant
        /// Decides without the missing fixes.
        let deadline: MonotonicInstant
    }

    /// The thresholds.
    public let settings: Settings
    var receivers: [VotingReceiver]
    var agreement: Agreement
    var collapse = AntennaCollapse()
    private var sharedTime: SharedTime
    /// The receiver whose fixes are passed on.
    var winner: Int?
    /// A receiver that is more accurate than the winner, and since when.
    var challenger: (index: Int, since: VoteInstant)?
    /// When the present dispute began.
    var dispute: (time: UTCTime?, arrival: MonotonicInstant?)?
    private var round: Round?
    /// The last round.
    private var closed: Round?
    /// The instant of the last fix passed on.
    private var sent: VoteInstant?
    private var decisions: [VoteDecision] = []

    /// Creates a vote of receivers, given the place of each antenna; `nil` where it is not known. Further
    /// receivers than `maximumCount` have no vote.
    public init(antennas: [LeverArm?], settings: Settings = Settings()) {
        self.settings = settings
        receivers = antennas.prefix(Self.maximumCount).enumerated().map {
            VotingReceiver($0.offset, lever: $0.element)
        }
        sharedTime = SharedTime(count: receivers.count)
        agreement = Agreement(count: receivers.count)
    }

    /// When to call `wake(at:)`; `nil` if no fix is waited for.
    public var wakeAt: MonotonicInstant? { round?.deadline }

    /// Removes the first result.
    public mutating func next() -> VoteDecision? {
        decisions.isEmpty ? nil : decisions.removeFirst()
    }

    /// Adds a fix of a receiver, with a position or without.
    ///
    /// - Parameters:
    ///   - arrival: When its first byte arrived; `nil` for a recording, whose times then are its own.
    ///   - now: This machine's time.
    public mutating func receive(
        _ fix: Fix, from index: Int, arrival: MonotonicInstant?, at now: MonotonicInstant
    ) {
        guard receivers.indices.contains(index) else { return }
        wake(at: now)
        while receivers[index].isPending, round != nil { finishRound(at: now) }
        let instant = VoteInstant(
            receiver: index, time: fix.time?.unixNanoseconds, arrival: arrival)
        let step = seconds(from: receivers[index].instant, to: instant).seconds
        receivers[index].receive(fix, at: instant, step: step)
        let known = receivers.lazy.filter { $0.count > 0 }.map(\.instant)
        sharedTime.update(instant, with: known)
        guard receivers[index].isPending else {
            reportNoPosition(index)
            return finishCompleteRounds(at: now)
        }
        restartIfBack(to: instant)
        if let base = round?.base ?? closed?.base {
            let lateness = seconds(from: instant, to: base).seconds
            let isLate = round == nil ? lateness >= -Self.tolerance : lateness > Self.tolerance
            if isLate { return receiveLate(index, at: instant, lateness, now) }
        }
        receivers[index].isPunctual = true
        if round == nil { begin(instant, of: index, at: now) }
        finishCompleteRounds(at: now)
    }

    /// Takes the vote of a receiver that is gone. It returns with its next fix.
    public mutating func lose(_ index: Int, at now: MonotonicInstant) {
        guard receivers.indices.contains(index) else { return }
        receivers[index].leave()
        finishCompleteRounds(at: now)
    }

    /// Decides without the fixes that have not come in time.
    public mutating func wake(at now: MonotonicInstant) {
        while let round, now >= round.deadline { finishRound(at: now) }
    }

    // MARK: Times

    /// The seconds from one instant to another, and whether their receivers have the same time.
    func seconds(
        from earlier: VoteInstant, to later: VoteInstant
    ) -> (seconds: Double, isSameTime: Bool) {
        sharedTime.seconds(from: earlier, to: later)
    }

    /// The seconds by which a receiver's last fix is older than an instant.
    func age(of index: Int, at base: VoteInstant) -> Double {
        seconds(from: receivers[index].instant, to: base).seconds
    }

    // MARK: Rounds

    private mutating func begin(_ base: VoteInstant, of index: Int, at now: MonotonicInstant) {
        let wait = settings.wait * min(1, receivers[index].period)
        round = Round(base: base, deadline: now + .seconds(wait))
    }

    private mutating func finishCompleteRounds(at now: MonotonicInstant) {
        while let base = round?.base, isComplete(at: base) { finishRound(at: now) }
    }

    /// Whether no further fix of the instant will come soon.
    private func isComplete(at base: VoteInstant) -> Bool {
        receivers.indices.allSatisfy { index in
            let receiver = receivers[index]
            return receiver.coordinate == nil || receiver.isPending || !receiver.isPunctual
                || !receiver.isDue(after: age(of: index, at: base))
        }
    }

    private mutating func finishRound(at now: MonotonicInstant) {
        guard let finished = round else { return }
        let base = finished.base
        (round, closed) = (nil, finished)
        var present: ReceiverSet = []
        for index in receivers.indices where receivers[index].coordinate != nil {
            let age = age(of: index, at: base)
            if receivers[index].isPending {
                guard age >= -Self.tolerance else { continue }
                receivers[index].isPending = false
                present.insert(ReceiverSet(index))
            } else {
                // Of a receiver that always comes late, the fix before may be the last one.
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

    private mutating func decide(at base: VoteInstant, _ present: ReceiverSet) {
        guard var decision = decision(at: base, present) else { return }
        guard present.contains(ReceiverSet(decision.receiver)), isNew(base) else { return }
        decision.number = receivers[decision.receiver].count
        sent = base
        decisions.append(decision)
    }

    private func isNew(_ instant: VoteInstant) -> Bool {
        sent.map { seconds(from: $0, to: instant).seconds > Self.tolerance } ?? true
    }

    // MARK: Fixes apart from the others

    /// Receives a fix of an instant that has been decided.
    private mutating func receiveLate(
        _ index: Int, at instant: VoteInstant, _ lateness: Double, _ now: MonotonicInstant
    ) {
        receivers[index].isPending = false
        // It may come early enough to wait for the next one.
        let isSameInstant = abs(lateness) <= Self.tolerance
        receivers[index].isPunctual = isSameInstant && closed.map { now <= $0.deadline } ?? true
        guard index == winner, isNew(instant) else { return }
        decide(at: instant, ReceiverSet(index))
    }

    /// Begins anew where a recording goes back in time.
    private mutating func restartIfBack(to instant: VoteInstant) {
        guard instant.arrival == nil, let base = closed?.base,
            seconds(from: base, to: instant).seconds < -10
        else { return }
        (closed, sent, challenger) = (nil, nil, nil)
    }

    /// Passes on that there is no position, if no receiver has one.
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
