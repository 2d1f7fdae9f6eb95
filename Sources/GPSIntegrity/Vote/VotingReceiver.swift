// SPDX-License-Identifier: MIT
import GNSS

/// One receiver of a vote: its last fix, and its habits.
struct VotingReceiver {
    /// The reasons for which a receiver has a vote only if none is better.
    enum Rank: Int, Comparable {
        case sound
        /// 2D, or dead reckoning.
        case incomplete
        /// The same digits while it moves.
        case frozen
        /// Its integrity is an alarm.
        case alarm

        static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    /// The slowest speed in metres per second at which each position must be a new one.
    private static let movingSpeed = 1.0

    let lever: LeverArm?
    /// The last fix; `nil` if the receiver is lost, or has no position.
    private(set) var fix: Fix?
    private(set) var error: PlaneError?
    private(set) var instant: VoteInstant
    /// The number of fixes so far.
    private(set) var count = 0
    /// Seconds between two fixes.
    private(set) var period = 1.0
    private var lastStep = 0.0
    /// Whether it was lost and has not come back.
    private(set) var isGone = false
    /// Whether the last fix has not been part of a vote yet.
    var isPending = false
    /// Whether a fix was due and did not come.
    var isMissing = false
    /// Whether the others wait for its fixes, since they come soon after theirs.
    var isPunctual = true
    /// Metres that the vehicle moved while the position kept its digits.
    private var stillDistance = 0.0
    /// Seconds for which the position has kept its digits since the last call of `move`.
    private var stillSeconds = 0.0

    init(_ index: Int, lever: LeverArm?) {
        self.lever = lever
        instant = VoteInstant(receiver: index, time: nil, arrival: nil)
    }

    var coordinate: Coordinate? { isMissing ? nil : fix?.coordinate }

    /// The rank of the last fix.
    var rank: Rank {
        guard let fix else { return .alarm }
        if fix.integrity?.state == .alarm { return .alarm }
        if stillDistance >= 1 { return .frozen }
        return fix.mode < .threeD || fix.quality == .estimated ? .incomplete : .sound
    }

    /// Stores a fix; one without a position takes the vote.
    ///
    /// `step` is the time in seconds since the one before.
    mutating func receive(_ new: Fix, at instant: VoteInstant, step: Double) {
        count += 1
        let isFirst = count == 1
        self.instant = instant
        isGone = false
        guard new.mode > .noFix, let coordinate = new.coordinate, coordinate.isValid else {
            lose()
            return
        }
        if let fix, !isFirst {
            // Two equal steps: a single longer one is a gap.
            if step > 0, step < 30, abs(step - lastStep) < 0.2 * step { period = step }
            lastStep = step
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

    /// Takes the vote of a receiver that was unplugged.
    mutating func leave() {
        lose()
        isGone = true
    }

    private mutating func lose() {
        (fix, error, isPending, isMissing) = (nil, nil, false, false)
        (stillDistance, stillSeconds) = (0, 0)
    }

    /// Compares the digits of the position with the movement of the other receivers.
    mutating func move(atSpeedOfOthers others: Double) {
        let speed = max(fix?.speed ?? 0, others)
        if speed >= Self.movingSpeed { stillDistance += speed * stillSeconds }
        stillSeconds = 0
    }

    /// Whether a fix of an instant should be there, if that is so old.
    func isDue(after age: Double) -> Bool { age >= period - ReceiverVote.tolerance }
}
