// SPDX-License-Identifier: MIT
package import GNSS

/// Fixes of one receiver that are sent as one message.
///
/// The format is described in docs/fleet.md: JSON with a column per value, compressed by zstd if
/// that makes it smaller.
package struct FixBatch: Sendable, Equatable {
    /// The version of the format.
    package static let version = 1

    /// The receiver of the fixes.
    package var member: MemberName

    /// The run of the bridge that numbered the fixes: a random name, new at every start.
    package var boot: String

    /// Whether the fixes are live, recorded or simulated.
    package var origin: DataOrigin

    /// The name and version of the program that sent them.
    package var software: String

    /// The number of fixes that are still in the bridge's spool.
    package var waiting: Int

    /// The fixes, in order of their sequence numbers.
    package var rows: [FixRow]

    /// Creates a batch.
    package init(
        member: MemberName, boot: String, origin: DataOrigin, software: String = "",
        waiting: Int = 0, rows: [FixRow]
    ) {
        self.member = member
        self.boot = boot
        self.origin = origin
        self.software = software
        self.waiting = waiting
        self.rows = rows
    }

    /// The message's id, by which an engine drops duplicates. The same fixes always have the same
    /// id. `nil` for a batch without fixes.
    package var id: String? {
        guard let first = rows.first, let last = rows.last else { return nil }
        return "\(member)/\(boot)/\(first.sequence)-\(last.sequence)/\(rows.count)"
    }
}
