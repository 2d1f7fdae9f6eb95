// SPDX-License-Identifier: MIT
import GNSS

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
