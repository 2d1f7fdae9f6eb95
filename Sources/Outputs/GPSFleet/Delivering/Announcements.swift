// SPDX-License-Identifier: MIT
import GNSS

/// The receivers that were announced to the server since it was connected (see
/// `MessageFormat.announcement`), with the columns and the origin announced for each.
package struct Announcements {
    /// The announced columns of each receiver, as one bit per column, and the origin of its data.
    private var sent: [MemberName: (columns: UInt64, origin: DataOrigin)] = [:]

    /// Creates an empty list.
    package init() {}

    /// Returns whether the receiver of a batch must be announced, and records it as announced. It
    /// must be announced if it is new, if it has a new column (for example after an instrument was
    /// switched on), or if the origin of its data has changed.
    package mutating func isDue(_ batch: FixBatch) -> Bool {
        let known = batch.rows.last?.knownOthers ?? 0
        let former = sent[batch.member]
        let columns = former?.columns ?? 0
        sent[batch.member] = (known | columns, batch.origin)
        return former?.origin != batch.origin || known & ~columns != 0
    }
}
