// SPDX-License-Identifier: MIT

/// A filter for the fixes of a member that are newer than those received before.
///
/// It compares the bridge's runs and sequence numbers, since its clock may be set back.
///
/// Numbers increase from run to run of a bridge, unless its spool was removed. In that case the
/// time shows whether an unknown run is new, or an old one whose backlog arrives late.
package struct LiveOrder {
    private struct Run {
        var boot: String
        var sequence: Int64
        var received: Int64
        /// The last runs before this one.
        var earlier: [String] = []
    }

    private static let earlierLimit = 16

    private var runs: [MemberName: Run] = [:]

    /// Creates a filter without known members.
    package init() {}

    /// Returns the fixes of a batch that are newer; none if the run has been followed by another
    /// one.
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
