// SPDX-License-Identifier: MIT
import GNSS

/// Chooses the receiver whose fix is selected for an instant.
extension ReceiverVote {
    /// A receiver's position, extrapolated to the instant for which the vote decides.
    private struct Candidate {
        let index: Int
        /// The position of the antenna, as an offset from the reported position of the first
        /// candidate.
        let antenna: LocalPlane.Point
        /// The position of the common reference point, calculated from `antenna`.
        let position: LocalPlane.Point
        let error: PlaneError
        /// The sum of the variances of both axes in square metres, without the increase for the
        /// extrapolation.
        let ownError: Double
        let rank: VotingReceiver.Rank
        let instant: VoteInstant
    }

    /// Compares the positions at a time and chooses the winner. Returns `nil` if no receiver has a
    /// position. `present` contains the receivers that have a fix for this time.
    mutating func decision(at base: VoteInstant, _ present: ReceiverSet) -> VoteDecision? {
        compareDigits()
        let bow = bow
        let candidates = candidates(at: base, bow)
        guard let best = candidates.map(\.rank).min() else { return nil }
        compare(candidates, bow)
        let voters = candidates.filter { $0.rank == best }
        let sets = agreement.largestSets(of: voters.map(\.index))
        guard let set = preferred(sets, voters) else { return nil }
        let members = voters.filter { set.contains(ReceiverSet($0.index)) }
        guard let chosen = choose(among: members, present, at: base) else { return nil }
        winner = chosen.index
        var decision = VoteDecision(state: .single, receiver: chosen.index, number: 0)
        decision.witnesses = members.map(\.index).filter { $0 != chosen.index }
        let others = candidates.filter { agreement.disagrees(chosen.index, $0.index) }
        decision.disagreeing = others.map(\.index)
        decision.causes = others.map { cause(of: $0, against: chosen) }
        if voters.count > 1 {
            let isOutnumbered = sets.contains { $0.isDisjoint(with: set) }
            decision.state = isOutnumbered ? .disputed : .agreed
        } else if isContradicted(chosen, by: candidates) {
            decision.state = .disputed
        }
        let fix = receivers[chosen.index].fix
        if decision.state == .disputed {
            decision.reasons.append(disputeReason(candidates, chosen, since: fix?.time))
        } else {
            dispute = nil
            // The radius is that of the winner alone. The receivers' errors may be correlated, so
            // agreement does not make the position more accurate (covariance intersection).
            decision.radius = receivers[chosen.index].error?.radius
        }
        let collapsed = collapse.reason { sharedTime.seconds(from: $0, to: base).seconds }
        if let collapsed { decision.reasons.append(collapsed) }
        return decision
    }

    // MARK: Positions

    private var bow: BowDirection? {
        guard receivers.contains(where: { $0.lever != nil }) else { return nil }
        // The last fix of a silent receiver may be from before a turn.
        return BowDirection(
            of: receivers.lazy.filter { $0.coordinate != nil }.compactMap(\.fix))
    }

    /// Passes to each receiver the median speed of the others, to detect positions whose digits do
    /// not change although the vehicle moves.
    private mutating func compareDigits() {
        let speeds = receivers.map { $0.coordinate == nil ? nil : $0.fix?.speed }
        for index in receivers.indices where receivers[index].coordinate != nil {
            let others = speeds.indices.compactMap { $0 == index ? nil : speeds[$0] }.sorted()
            // With a single other receiver, that one may be wrong.
            let speed = others.count >= 2 ? others[(others.count - 1) / 2] : 0
            receivers[index].move(atSpeedOfOthers: speed)
        }
    }

    private func candidates(at base: VoteInstant, _ bow: BowDirection?) -> [Candidate] {
        var candidates: [Candidate] = []
        var origin: Coordinate?
        for (index, receiver) in receivers.enumerated() {
            guard let fix = receiver.fix, let coordinate = receiver.coordinate else { continue }
            let age = age(of: index, at: base)
            // A receiver that is always late may not have sent its fix for this time yet.
            let late = receiver.isPunctual ? 0 : min(1, receiver.period)
            guard abs(age) <= settings.longestAge + late else { continue }
            let start = origin ?? coordinate
            origin = start
            var antenna = coordinate.offset(from: start)
            let sigma = settings.assumedAccuracy / 1.5
            var error = receiver.error ?? PlaneError(variance: sigma * sigma)
            error.grow(by: settings.resolution * settings.resolution / 2)
            let ownError = error.total
            extrapolate(&antenna, &error, by: age, with: fix, receiver.acceleration)
            var position = antenna
            if let lever = receiver.lever, let heading = bow?.heading {
                position = position - lever.offset(heading: heading)
            }
            candidates.append(
                Candidate(
                    index: index, antenna: antenna, position: position, error: error,
                    ownError: ownError, rank: receiver.rank, instant: receiver.instant))
        }
        return candidates
    }

    /// Extrapolates a position by `age` seconds with the velocity of the fix. Increases its error,
    /// because the velocity continues to change, as in a turn.
    private func extrapolate(
        _ position: inout LocalPlane.Point, _ error: inout PlaneError, by age: Double,
        with fix: Fix, _ acceleration: Double
    ) {
        guard age != 0, let speed = fix.speed else { return }
        let accuracy = fix.accuracy.speed ?? settings.speedAccuracy
        error.grow(by: accuracy * accuracy * age * age / 2)
        let deviation = acceleration * age * age / 2
        error.grow(by: deviation * deviation / 2)
        if abs(age) > settings.longestAge {
            let unknown = settings.acceleration * age * age / 2
            error.grow(by: unknown * unknown / 2)
        }
        if let course = fix.course {
            position = position + LocalPlane.Point(speed: speed * age, course: course)
        } else {
            error.grow(by: speed * speed * age * age)
        }
    }

    // MARK: Pairs

    private mutating func compare(_ candidates: [Candidate], _ bow: BowDirection?) {
        for (index, a) in candidates.enumerated() {
            for b in candidates[(index + 1)...] {
                let (levers, error) = (
                    (receivers[a.index].lever, receivers[b.index].lever), a.error + b.error
                )
                var arm: Double?
                if let one = levers.0, let other = levers.1 { arm = one.distance(to: other) }
                if let arm {
                    let period = max(receivers[a.index].period, receivers[b.index].period)
                    collapse.update(
                        a.index, b.index, arm: arm, distance: a.antenna.distance(to: b.antenna),
                        error: error, period: period, at: a.instant,
                        time: receivers[a.index].fix?.time, settings)
                }
                let isSameTime = sharedTime.seconds(from: b.instant, to: a.instant).isSameTime
                let ratio = isSameTime ? ratio(a, b, error, arm, bow) : .infinity
                agreement.update(a.index, b.index, ratio: ratio, settings)
            }
        }
    }

    /// Returns the distance between two positions as a multiple of the threshold.
    private func ratio(
        _ a: Candidate, _ b: Candidate, _ error: PlaneError, _ arm: Double?, _ bow: BowDirection?
    ) -> Double {
        let way = b.position - a.position
        let distance = way.distance
        guard distance.isFinite else { return .infinity }
        let allowance = (arm ?? 0) * (bow?.uncertainty ?? 0)
        guard distance > allowance else { return 0 }
        return error.deviations(of: way) * (1 - allowance / distance) / settings.threshold
    }

    // MARK: Choosing

    /// Chooses one of several sets of equal size. Sets in which no two members differ by more than
    /// the threshold are preferred, then the set with the current winner. If the winner is lost,
    /// the next preference is a set of receivers that agreed with it, then the set with the most
    /// accurate member.
    private func preferred(_ sets: [ReceiverSet], _ voters: [Candidate]) -> ReceiverSet? {
        func accuracy(_ set: ReceiverSet) -> Double {
            voters.lazy.filter { set.contains(ReceiverSet($0.index)) }.map(\.error.total).min()
                ?? .infinity
        }
        func distrust(_ set: ReceiverSet) -> Int {
            guard let winner, !set.contains(ReceiverSet(winner)) else { return 0 }
            return set.members.contains { agreement.disagrees(winner, $0) } ? 2 : 1
        }
        func key(_ set: ReceiverSet) -> (Int, Int, Double) {
            (agreement.isDoubtful(set) ? 1 : 0, distrust(set), accuracy(set))
        }
        guard sets.count > 1 else { return sets.first }
        return sets.min { key($0) < key($1) }
    }

    /// Returns the current winner if it is one of `members`, unless another one has been more
    /// accurate for `switchDelay` seconds. Otherwise returns the most accurate member, preferably
    /// one with a fix at this time.
    private mutating func choose(
        among members: [Candidate], _ present: ReceiverSet, at base: VoteInstant
    ) -> Candidate? {
        func best(of members: [Candidate]) -> Candidate? {
            members.min { $0.ownError < $1.ownError }
        }
        guard let former = members.first(where: { $0.index == winner }),
            let best = best(of: members)
        else {
            challenger = nil
            let here = members.filter { present.contains(ReceiverSet($0.index)) }
            return best(of: here) ?? best(of: members)
        }
        let limit = settings.improvement * settings.improvement
        guard best.ownError < limit * former.ownError else {
            challenger = nil
            return former
        }
        guard let challenger, challenger.index == best.index else {
            challenger = (best.index, base)
            return former
        }
        let elapsed = sharedTime.seconds(from: challenger.since, to: base).seconds
        guard elapsed >= settings.switchDelay else { return former }
        self.challenger = nil
        return best
    }

    /// Returns whether receivers of worse ranks contradict the only receiver of the best rank:
    /// they form a group separate from that receiver's, and no smaller. Frozen positions, those in an
    /// integrity alarm, and those of dead reckoning, which drift, do not count.
    private func isContradicted(_ chosen: Candidate, by candidates: [Candidate]) -> Bool {
        let credible = candidates.filter {
            $0.index == chosen.index
                || $0.rank < .frozen && receivers[$0.index].fix?.quality != .estimated
        }.map(\.index)
        guard credible.count > 1 else { return false }
        let own = ReceiverSet(chosen.index)
        let sets = agreement.largestSets(of: credible)
        let group = sets.first(where: { $0.contains(own) }) ?? own
        return sets.contains { $0.isDisjoint(with: group) }
    }

    private mutating func disputeReason(
        _ candidates: [Candidate], _ chosen: Candidate, since time: UTCTime?
    ) -> Integrity.Reason {
        let begin = dispute ?? (time, chosen.instant.arrival)
        dispute = begin
        let others = candidates.filter { agreement.disagrees(chosen.index, $0.index) }
        if let other = others.first(where: {
            !sharedTime.seconds(from: $0.instant, to: chosen.instant).isSameTime
        }), let difference = chosen.instant.timeSeconds(since: other.instant), difference.isFinite {
            return Integrity.Reason(
                test: .receiversDisagree, value: abs(difference),
                threshold: SharedTime.maximumDelay, unit: "s", since: begin.time,
                start: begin.arrival,
                text: "receivers' times differ by \(String(abs(difference), atMostDecimals: 1)) s "
                    + "(limit \(String(SharedTime.maximumDelay, atMostDecimals: 1)))")
        }
        let farthest = others.max {
            $0.position.distance(to: chosen.position) < $1.position.distance(to: chosen.position)
        }
        let distance = farthest.map { $0.position.distance(to: chosen.position) } ?? 0
        let limit = farthest.map { distanceLimit($0, chosen) } ?? 0
        return Integrity.Reason(
            test: .receiversDisagree, value: distance, threshold: limit, unit: "m",
            since: begin.time, start: begin.arrival,
            text: "receivers are \(String(distance, atMostDecimals: 1)) m apart "
                + "(limit \(String(limit, atMostDecimals: 1)))")
    }

    /// Returns why a receiver disagrees with the winner: `503 m away, integrity alarm`.
    private func cause(of other: Candidate, against chosen: Candidate) -> String {
        let isSameTime = sharedTime.seconds(from: other.instant, to: chosen.instant).isSameTime
        let difference = chosen.instant.timeSeconds(since: other.instant).map(\.magnitude)
        let distance = other.position.distance(to: chosen.position)
        var cause = "\(String(distance, atMostDecimals: distance < 10 ? 1 : 0)) m away"
        if !isSameTime, let difference, difference.isFinite {
            cause = "its time differs by \(String(difference, atMostDecimals: 1)) s"
        }
        switch receivers[other.index].fix?.integrity?.state {
        case .alarm: return cause + ", integrity alarm"
        case .warning: return cause + ", integrity warning"
        case .ok, .unknown, nil: return cause
        }
    }

    /// Returns the distance in metres at which two receivers begin to disagree.
    private func distanceLimit(_ a: Candidate, _ b: Candidate) -> Double {
        let way = b.position - a.position
        let deviations = (a.error + b.error).deviations(of: way)
        guard deviations > 0 else { return 0 }
        return way.distance / deviations * settings.threshold * settings.disagreement
    }
}
