// SPDX-License-Identifier: MIT
import GNSS

/// The receivers that were announced since the engine connected, with the columns and the origin
/// announced for each.
package struct Announcements {
    /// The announced columns of each receiver, one bit for each, and the origin of its data.
    private var sent: [MemberName: (columns: UInt64, origin: DataOrigin)] = [:]

    /// Creates an empty list.
    package init() {}

    /// Returns whether the receiver of a batch must be announced, and records it as announced. This
    /// is the case for a new receiver, for a new column, for example after an instrument was switched
    /// on, and for another origin.
    package mutating func isDue(_ batch: FixBatch) -> Bool {
        let known = batch.rows.last?.knownOthers ?? 0
        let former = sent[batch.member]
        let columns = former?.columns ?? 0
        sent[batch.member] = (known | columns, batch.origin)
        return former?.origin != batch.origin || known & ~columns != 0
    }
}
