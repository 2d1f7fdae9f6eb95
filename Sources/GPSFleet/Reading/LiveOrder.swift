// SPDX-License-Identifier: MIT

/// Filters each member's fixes, so that only fixes newer than the previous ones are left.
///
/// It compares the bridge's runs and sequence numbers instead of times, because the bridge's clock
/// may be set back.
///
/// Sequence numbers increase from run to run of a bridge, unless its spool was removed. In that
/// case, the time of reception shows whether an unknown run is a new one, or an old one whose
/// backlog arrives late.
package struct LiveOrder {
    private struct Run {
        var boot: String
        var sequence: Int64
        var received: Int64
        /// The names of the most recent runs before this one.
        var earlier: [String] = []
    }

    private static let earlierLimit = 16

    private var runs: [MemberName: Run] = [:]

    /// Creates a filter that has received nothing yet.
    package init() {}

    /// Returns the fixes of a batch that are newer than the member's previous ones. Returns none if
    /// the batch is from an earlier run.
    package mutating func newer(_ batch: FixBatch) -> [FixRow] {
        var run = runs.removeValue(forKey: batch.member)
        defer { runs[batch.member] = run }
        guard let sequence = batch.rows.map(\.sequence).max(),
            let received = batch.rows.map(\.received).max()
        else { return [] }
        guard var known = run, known.boot != batch.boot else {
            let last = run?.sequence ?? .min
            run = Run(
                boot: batch.boot, sequence: max(sequence, last),
                received: max(received, run?.received ?? .min), earlier: run?.earlier ?? [])
            return batch.rows.filter { $0.sequence > last }
        }
        guard !known.earlier.contains(batch.boot),
            sequence > known.sequence || received > known.received
        else { return [] }
        known.earlier = known.earlier.suffix(Self.earlierLimit - 1) + [known.boot]
        known.boot = batch.boot
        known.sequence = sequence
        known.received = received
        run = known
        return batch.rows
    }
}
