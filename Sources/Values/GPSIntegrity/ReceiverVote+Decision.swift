// SPDX-License-Identifier: MIT
public import GNSS

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
        let doubt = receivers[other.index].fix?.integrity?.doubt
        return cause + (doubt.map { ", integrity \($0.rawValue)" } ?? "")
    }

    /// Returns the distance in metres at which two receivers begin to disagree.
    private func distanceLimit(_ a: Candidate, _ b: Candidate) -> Double {
        let way = b.position - a.position
        let deviations = (a.error + b.error).deviations(of: way)
        guard deviations > 0 else { return 0 }
        return way.distance / deviations * settings.threshold * settings.disagreement
    }
}

/// The result of a `ReceiverVote` for one time. Receivers are numbered from 0.
public struct VoteDecision: Hashable, Sendable {
    /// The relation of the receivers' positions.
    public var state: Vote.State
    /// The index of the receiver whose fix is selected, unchanged. If no receiver has a position,
    /// the index of the receiver that was the last to send a fix without a position.
    public var receiver: Int
    /// The number of the selected fix among the fixes of its receiver, from 1.
    public var number: Int
    /// The indices of the other receivers that agree with the selected one.
    public var witnesses: [Int] = []
    /// The indices of the receivers whose positions disagree with the selected one.
    public var disagreeing: [Int] = []
    /// Why each receiver in `disagreeing` does.
    public var causes: [String] = []
    /// The radius of the circle around the position that contains the true position with 68 %
    /// probability, in metres; `nil` if receivers disagree, or if the winner reports no accuracy.
    public var radius: Double?
    /// The evidence against the position, found by comparing receivers.
    public var reasons: [Integrity.Reason] = []

    /// The integrity state that `reasons` cause; `nil` without reasons.
    private var integrityState: Integrity.State? {
        if reasons.contains(where: { $0.test == .antennasCollapsed }) { return .alarm }
        return reasons.isEmpty ? nil : .warning
    }

    /// Returns the result with names in place of indices.
    package func vote(names: [String]) -> Vote {
        func named(_ indices: [Int]) -> [String] {
            indices.compactMap { names.indices.contains($0) ? names[$0] : nil }
        }
        var vote = Vote(
            state: state, winner: state == .noPosition ? nil : named([receiver]).first,
            witnesses: named(witnesses), disagreeing: named(disagreeing), radius: radius)
        vote.causes = causes
        return vote
    }

    /// Returns the winner's fix with the result in `vote`. If there are reasons, they are added to
    /// `integrity`, and its state becomes at least `warning`.
    package func marked(_ fix: Fix, names: [String]) -> Fix {
        var fix = fix
        fix.vote = vote(names: names)
        guard let integrityState else { return fix }
        var integrity = fix.integrity ?? Integrity()
        if integrity.state.number < integrityState.number {
            integrity.state = integrityState
            (integrity.since, integrity.start) = (reasons.first?.since, reasons.first?.start)
        }
        integrity.reasons += reasons
        fix.integrity = integrity
        return fix
    }
}

/// A set of receivers, one bit for each.
struct ReceiverSet: OptionSet, Hashable {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a set that contains one receiver.
    init(_ index: Int) { rawValue = 1 << UInt16(index) }

    /// The receivers in ascending order.
    var members: [Int] { (0..<16).filter { contains(ReceiverSet($0)) } }
}

/// Records which receivers agree with each other.
///
/// Position errors last for minutes, so a delay would not filter them. Instead, hysteresis is used:
/// two receivers that agree only disagree when they differ by more than 1.25 times the threshold.
/// They agree again when they differ by at most half the threshold.
struct Agreement {
    private var disagreeing: [ReceiverSet]
    /// For each receiver, the set of receivers that differ from it by more than the threshold. They
    /// may still count as agreeing, because of the hysteresis.
    private var doubtful: [ReceiverSet]

    init(count: Int) {
        disagreeing = Array(repeating: [], count: count)
        doubtful = disagreeing
    }

    /// Updates `disagreeing` and `doubtful` for two receivers. `ratio` is the distance between
    /// their positions as a multiple of the threshold.
    mutating func update(_ a: Int, _ b: Int, ratio: Double, _ settings: ReceiverVote.Settings) {
        let disagreed = disagrees(a, b)
        let limit = disagreed ? settings.agreement : settings.disagreement
        set(\.disagreeing, a, b, ratio > limit)
        set(\.doubtful, a, b, ratio > 1)
    }

    /// Returns whether two receivers disagree.
    func disagrees(_ a: Int, _ b: Int) -> Bool { disagreeing[a].contains(ReceiverSet(b)) }

    /// Returns whether all members of a set agree with each other. `members` contains these
    /// members; other receivers in it are ignored.
    private func isConsistent(_ set: ReceiverSet, of members: [Int]) -> Bool {
        members.allSatisfy {
            !set.contains(ReceiverSet($0)) || disagreeing[$0].isDisjoint(with: set)
        }
    }

    /// Returns whether any two members of a set differ by more than the threshold.
    func isDoubtful(_ set: ReceiverSet) -> Bool {
        set.members.contains { !doubtful[$0].isDisjoint(with: set) }
    }

    private mutating func set(
        _ sets: WritableKeyPath<Agreement, [ReceiverSet]>, _ a: Int, _ b: Int, _ value: Bool
    ) {
        for (one, other) in [(a, b), (b, a)] {
            if value {
                self[keyPath: sets][one].insert(ReceiverSet(other))
            } else {
                self[keyPath: sets][one].remove(ReceiverSet(other))
            }
        }
    }

    /// Returns the largest subsets of `voters` whose members agree with each other: one, or several
    /// of equal size.
    func largestSets(of voters: [Int]) -> [ReceiverSet] {
        let all = voters.reduce(into: ReceiverSet()) { $0.insert(ReceiverSet($1)) }
        // The most frequent case: all agree.
        if !voters.isEmpty, isConsistent(all, of: voters) { return [all] }
        var largest: [ReceiverSet] = []
        var size = 0
        // Visit all subsets; there are at most 256.
        for bits in 1..<(1 << voters.count) {
            let bitCount = bits.nonzeroBitCount
            guard bitCount >= size else { continue }
            var set: ReceiverSet = []
            for (index, voter) in voters.enumerated() where bits & (1 << index) != 0 {
                set.insert(ReceiverSet(voter))
            }
            guard isConsistent(set, of: voters) else { continue }
            if bitCount > size { largest.removeAll(keepingCapacity: true) }
            size = bitCount
            largest.append(set)
        }
        return largest
    }
}

/// The expected horizontal error of a position: a symmetric covariance matrix in square metres.
struct PlaneError {
    /// The ratio of the 68 % radius to one sigma for a circular error.
    private static let roundFactor = 1.5096
    /// The 68 % radius divided by the larger sigma. Element `n` is for a smaller sigma of `n`
    /// tenths of the larger one.
    private static let factors = [
        0.9945, 0.9995, 1.0152, 1.0438, 1.0889, 1.1481, 1.2152, 1.2865, 1.3599, 1.4344, 1.5096,
    ]

    private var northNorth: Double
    private var northEast: Double
    private var eastEast: Double

    private init(northNorth: Double, northEast: Double, eastEast: Double) {
        (self.northNorth, self.northEast, self.eastEast) = (northNorth, northEast, eastEast)
    }

    /// Creates a circular error from the variance of each axis, in square metres.
    init(variance: Double) {
        self.init(northNorth: variance, northEast: 0, eastEast: variance)
    }

    /// Creates the error of a fix from the first of these that it has: covariance, standard
    /// deviations, horizontal accuracy. Returns `nil` if it has none of these.
    init?(of fix: Fix) {
        if let covariance = fix.covariance {
            let (north, east) = (Double(covariance.northNorth), Double(covariance.eastEast))
            let both = Double(covariance.northEast)
            // Because of rounding or an error in the receiver, the determinant may not be positive.
            // Then the matrix is not a valid covariance.
            if north * east > both * both {
                self.init(northNorth: north, northEast: both, eastEast: east)
                return
            }
        } else if let north = fix.standardDeviation.latitude,
            let east = fix.standardDeviation.longitude, north > 0, east > 0
        {
            self.init(northNorth: north * north, northEast: 0, eastEast: east * east)
            return
        }
        guard let accuracy = fix.accuracy.horizontal, accuracy > 0, accuracy.isFinite else {
            return nil
        }
        let sigma = accuracy / Self.roundFactor
        self.init(variance: sigma * sigma)
    }

    /// The sum of both variances, in square metres.
    var total: Double { northNorth + eastEast }

    /// The radius of the circle that contains the true position with 68 % probability, in metres.
    var radius: Double {
        let half = total / 2
        let difference = (northNorth - eastEast) / 2
        let root = (difference * difference + northEast * northEast).squareRoot()
        let (larger, smaller) = (half + root, max(0, half - root))
        guard larger > 0 else { return 0 }
        let position = (smaller / larger).squareRoot() * 10
        let index = min(9, Int(position))
        let (low, high) = (Self.factors[index], Self.factors[index + 1])
        return larger.squareRoot() * (low + (high - low) * (position - Double(index)))
    }

    /// Adds a variance in square metres to each axis.
    mutating func grow(by variance: Double) {
        northNorth += variance
        eastEast += variance
    }

    /// Returns the error of the difference between two positions with independent errors.
    static func + (a: PlaneError, b: PlaneError) -> PlaneError {
        var sum = a
        sum.northNorth += b.northNorth
        sum.northEast += b.northEast
        sum.eastEast += b.eastEast
        return sum
    }

    /// Returns the length of a displacement in standard deviations of this error (Mahalanobis
    /// distance).
    func deviations(of way: LocalPlane.Point) -> Double {
        let determinant = northNorth * eastEast - northEast * northEast
        guard determinant > 0 else { return .infinity }
        let square =
            (eastEast * way.north * way.north - 2 * northEast * way.north * way.east
                + northNorth * way.east * way.east) / determinant
        return max(0, square).squareRoot()
    }
}

/// The position of an antenna in the vehicle, in metres from a common reference point.
public struct LeverArm: Hashable, Sendable {
    /// The distance towards the bow in metres; negative towards the stern.
    public var forward: Double
    /// The distance to starboard in metres; negative to port.
    public var right: Double

    /// Creates an antenna position.
    public init(forward: Double, right: Double) {
        self.forward = forward
        self.right = right
    }

    /// The position of the common reference point.
    public static let origin = LeverArm(forward: 0, right: 0)

    /// Returns the distance to another antenna in metres.
    func distance(to other: LeverArm) -> Double {
        let (x, y) = (forward - other.forward, right - other.right)
        return (x * x + y * y).squareRoot()
    }

    /// Returns the position in metres east and north of the reference point if the bow points to
    /// `heading`, in degrees true.
    func offset(heading: Double) -> LocalPlane.Point {
        let (sine, cosine) = PortableMath.sinCos(heading.radians)
        return LocalPlane.Point(
            east: forward * sine + right * cosine, north: forward * cosine - right * sine)
    }
}

/// The direction of a vehicle's bow, derived from the fixes of its receivers.
private struct BowDirection {
    /// The speed in metres per second above which the course is assumed to be the direction of the
    /// bow.
    private static let minimumSpeed = 3.0

    /// The heading in degrees; `nil` if unknown.
    let heading: Double?
    /// The uncertainty of an antenna's position that the uncertain direction causes, as a fraction
    /// of the lever arm's length.
    let uncertainty: Double

    /// Determines the direction from a compass heading or, at sufficient speed, from the course
    /// over ground.
    init(of fixes: some Sequence<Fix>) {
        var velocities: [LocalPlane.Point] = []
        var courses: [Double] = []
        for fix in fixes {
            if let heading = fix.attitude.heading {
                (self.heading, uncertainty) = (heading, 0.05)
                return
            }
            guard let course = fix.course, let speed = fix.speed else { continue }
            velocities.append(LocalPlane.Point(speed: speed, course: course))
            courses.append(course)
        }
        // Because of wind and current, the bow of a boat may point up to 20° away from its course.
        (heading, uncertainty) =
            Self.common(velocities).map { (courses[$0], 0.35) } ?? (nil, 1)
    }

    /// Returns the index of the velocity with the smallest sum of differences from the others, so
    /// that a single wrong velocity is not used. Of two velocities, it is the faster one. Returns
    /// `nil` if the velocity is not above `minimumSpeed`.
    private static func common(_ velocities: [LocalPlane.Point]) -> Int? {
        func key(_ index: Int) -> (Double, Double) {
            let velocity = velocities[index]
            return (
                velocities.reduce(0) { $0 + velocity.distance(to: $1) }, -velocity.distance
            )
        }
        return velocities.indices.min { key($0) < key($1) }.flatMap {
            -key($0).1 > minimumSpeed ? $0 : nil
        }
    }
}
