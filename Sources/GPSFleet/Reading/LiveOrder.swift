// SPDX-License-Identifier: MIT

/// Which fixes of a member are newer than those before: by the bridge's runs and numbers, since its clock may be set back.
///
/// Numbers rise from run to run of a bridge, unless its spool was removed. Then the time shows whether an unknown run is
/// a new one, or an old one whose backlog comes late.
package struct LiveOrder {
    private struct Run {
        var boot: String
        var sequence: Int64
        var received: Int64
        /// Runs before, the last ones.
        var earlier: [String] = []
    }

    private static let mostEarlier = 16

    private var runs: [MemberName: Run] = [:]

    /// Knows no member.
    package init() {}

    /// Takes the fixes of a batch that are newer; none of a run that was followed by another one.
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
        known.earlier = known.earlier.suffix(Self.mostEarlier - 1) + [known.boot]
        known.boot = batch.boot
        known.sequence = sequence
        known.received = received
        run = known
        return batch.rows
    }
}
