// SPDX-License-Identifier: MIT

/// The receivers that were announced since the engine connected, with the columns announced for
/// each.
package struct Announcements {
    /// The announced columns of each receiver, one bit for each.
    private var sent: [MemberName: UInt64] = [:]

    /// Creates an empty list.
    package init() {}

    /// Returns whether the receiver of a batch must be announced, and records it as announced. This
    /// is the case for a new receiver and for a new column, for example after an instrument was
    /// switched on.
    package mutating func isDue(_ batch: FixBatch) -> Bool {
        let known = batch.rows.last?.knownOthers ?? 0
        guard let former = sent[batch.member] else {
            sent[batch.member] = known
            return true
        }
        guard known & ~former != 0 else { return false }
        sent[batch.member] = known | former
        return true
    }
}
