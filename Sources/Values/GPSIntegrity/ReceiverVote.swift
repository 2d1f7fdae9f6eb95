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
