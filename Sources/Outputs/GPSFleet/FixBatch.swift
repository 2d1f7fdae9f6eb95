// SPDX-License-Identifier: MIT
package import GNSS

/// Fixes of one receiver in one run of its bridge, sent as one message.
///
/// The format, described in docs/fleet.md, is a JSON object that contains an array for each column,
/// compressed with zstd if that is smaller.
package struct FixBatch: Sendable, Equatable {
    /// The version of the format.
    package static let version = 1

    /// The receiver of the fixes.
    package var member: MemberName

    /// The random name of the run of the bridge, from its start to its end, that numbered the
    /// fixes: 12 hexadecimal digits.
    package var boot: String

    /// Whether the fixes are live, recorded or simulated.
    package var origin: DataOrigin

    /// The name and version of the sending program.
    package var software: String

    /// The number of fixes in the bridge's spool when the message was created.
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

    /// The message's id, which lets a server recognise duplicates. The same fixes always have the
    /// same id. `nil` if the batch is empty.
    package var id: String? {
        guard let first = rows.first, let last = rows.last else { return nil }
        return "\(member)/\(boot)/\(first.sequence)-\(last.sequence)/\(rows.count)"
    }
}
