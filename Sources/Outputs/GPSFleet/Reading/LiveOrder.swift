// SPDX-License-Identifier: MIT

/// Filters the fixes of each receiver (member), so that only fixes newer than the previous ones are
/// left.
///
/// It compares the bridge's runs and sequence numbers instead of times, because the bridge's clock
/// may be set back.
///
/// Sequence numbers increase from run to run of a bridge, unless its spool was removed. In that
/// case, the time of reception shows whether an unknown run is a new one, or an old one whose
/// backlog arrives late.
package struct LiveOrder {
    private struct Run {
        /// The hash value of the run's name, which may be of any length in a hostile message.
        var boot: Int
        var sequence: Int64
        var received: Int64
        /// The hash values of the names of the most recent runs before this one.
        var earlier: [Int] = []
        /// The last batch whose numbers were far from those before, which waits for the next one.
        var jump: (boot: Int, sequence: Int64)?
    }

    /// The largest difference of the numbers of two batches that follow each other: a day at one
    /// fix per second. After a larger one, a batch is left out until the next one confirms it,
    /// because a single wrong number would make all later fixes seem old.
    fileprivate static let jumpLimit: Int64 = 86_400

    private static let earlierLimit = 16

    private let memberLimit: Int
    private var runs: [MemberName: Run] = [:]
    /// The number of batches that were dropped because there are too many members.
    package private(set) var droppedCount = 0
    /// The number of batches that were left out because their numbers jumped.
    package private(set) var jumpCount = 0

    /// Creates a filter that has received nothing yet. Batches of more than `memberLimit` members
    /// are dropped, because messages may contain invented names.
    package init(memberLimit: Int = 100_000) { self.memberLimit = memberLimit }

    /// Returns the fixes of a batch that are newer than the member's previous ones. Returns none if
    /// the batch is from an earlier run, or if there are too many members.
    package mutating func newer(_ batch: FixBatch) -> [FixRow] {
        var run = runs.removeValue(forKey: batch.member)
        defer { runs[batch.member] = run }
        guard let sequence = batch.rows.map(\.sequence).max(),
            let received = batch.rows.map(\.received).max()
        else { return [] }
        guard run != nil || runs.count < memberLimit else {
            droppedCount += 1
            return []
        }
        let boot = batch.boot.hashValue
        guard var known = run else {
            run = Run(boot: boot, sequence: sequence, received: received)
            return batch.rows
        }
        defer { run = known }
        let isSameRun = known.boot == boot
        let first = batch.rows.map(\.sequence).min() ?? sequence
        let isBack = isSameRun && received > known.received && known.sequence.isFar(above: sequence)
        if first.isFar(above: known.sequence) || isBack, !known.earlier.contains(boot) {
            let isConfirmed =
                known.jump.map {
                    $0.boot == boot && first > $0.sequence && !first.isFar(above: $0.sequence)
                } ?? false
            known.jump = isConfirmed ? nil : (boot, sequence)
            guard isConfirmed else {
                jumpCount += 1
                return []
            }
        } else if isSameRun {
            let last = known.sequence
            (known.sequence, known.received) = (max(sequence, last), max(received, known.received))
            return batch.rows.filter { $0.sequence > last }
        } else {
            guard !known.earlier.contains(boot),
                sequence > known.sequence || received > known.received
            else { return [] }
        }
        if !isSameRun {
            known.earlier = known.earlier.suffix(Self.earlierLimit - 1) + [known.boot]
            known.boot = boot
        }
        (known.sequence, known.received) = (sequence, received)
        return batch.rows
    }
}

extension Int64 {
    /// Whether this number is so much higher that the numbers between them are not lost messages.
    fileprivate func isFar(above other: Int64) -> Bool {
        let (distance, isTooFar) = subtractingReportingOverflow(other)
        return self > other && (isTooFar || distance > LiveOrder.jumpLimit)
    }
}
