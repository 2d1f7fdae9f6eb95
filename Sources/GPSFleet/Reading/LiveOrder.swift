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
    }

    private static let earlierLimit = 16

    private let memberLimit: Int
    private var runs: [MemberName: Run] = [:]
    /// The number of batches that were dropped because there are too many members.
    package private(set) var droppedCount = 0

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
        guard var known = run, known.boot != boot else {
            let last = run?.sequence ?? .min
            run = Run(
                boot: boot, sequence: max(sequence, last),
                received: max(received, run?.received ?? .min), earlier: run?.earlier ?? [])
            return batch.rows.filter { $0.sequence > last }
        }
        guard !known.earlier.contains(boot),
            sequence > known.sequence || received > known.received
        else { return [] }
        known.earlier = known.earlier.suffix(Self.earlierLimit - 1) + [known.boot]
        known.boot = boot
        known.sequence = sequence
        known.received = received
        run = known
        return batch.rows
    }
}
