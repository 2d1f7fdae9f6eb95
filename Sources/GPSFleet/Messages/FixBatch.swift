// SPDX-License-Identifier: MIT
package import GNSS

/// Fixes of one receiver, which are sent as one message.
///
/// The format is described in docs/fleet.md: JSON with a column per value, compressed by zstd where that makes
/// it smaller.
package struct FixBatch: Sendable, Equatable {
    /// The version of the format.
    package static let version = 1

    /// Whose fixes they are.
    package var member: MemberName

    /// The run of the bridge that has numbered the fixes: a random word, new with every start.
    package var boot: String

    /// Whether the fixes are live, recorded or simulated.
    package var origin: DataOrigin

    /// The program that has sent them, with its version.
    package var software: String

    /// How many fixes the bridge's spool still holds.
    package var waiting: Int

    /// The fixes, in order of their sequence numbers; none in a message that says just that the bridge runs.
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

    /// The message's id, by which an engine drops duplicates: the same for the same fixes, whenever they are
    /// sent. `nil` for a batch without fixes.
    package var id: String? {
        guard let first = rows.first, let last = rows.last else { return nil }
        return "\(member)/\(boot)/\(first.sequence)-\(last.sequence)/\(rows.count)"
    }
}
