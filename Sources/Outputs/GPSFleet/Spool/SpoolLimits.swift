// SPDX-License-Identifier: MIT
import GNSS

/// The limits of a spool's size and age.
package struct SpoolLimits: Hashable, Sendable {
    /// The maximum size in bytes, without free pages in the file.
    package var size: Int64 = 256 << 20
    /// The maximum age of a fix in seconds. Older fixes are dropped. The age begins at the
    /// receiver's time or the time of reception, whichever is later. It ends at the bridge's
    /// current time or the latest time that receivers have reported (see `Spool.keepLimits`),
    /// whichever is earlier.
    package var age: Double = 30 * 86_400
    /// The maximum size of kept messages (see `KeptMessage`) in bytes.
    var keptSize: Int64 { min(32 << 20, size / 8) }
    /// The maximum size of refused messages in bytes.
    var refusedSize: Int64 { min(8 << 20, size / 32) }

    /// Creates the default limits: 256 MiB, enough for about a month at 1 Hz, and 30 days.
    package init() {}
}

/// The numbers of fixes that a spool has dropped, by reason.
package struct SpoolLoss: Hashable, Sendable {
    /// The number of fixes removed by thinning, because they were close to the line between their
    /// neighbours.
    package var thinned = 0
    /// The largest tolerance used for thinning, in metres. All removed fixes were closer than this
    /// to the line between their neighbours.
    var tolerance = 0.0
    /// The number of fixes dropped because they were the oldest and the spool had reached its
    /// maximum size.
    package var dropped = 0
    /// The number of fixes dropped because they were the oldest and the disk was full.
    package var droppedByDisk = 0
    /// The number of fixes that were dropped from memory, because the spool could not store them.
    var unstored = 0
    /// The number of fixes dropped because of their age.
    package var expired = 0
    /// The number of fixes dropped because they waited only for targets that were removed.
    package var untargeted = 0
    /// The number of fixes that a server has finally refused and whose messages were stored.
    package var refused = 0
    /// The number of fixes that a server has finally refused and whose messages are not stored,
    /// because the disk was full.
    package var refusedLost = 0

    /// Returns a description for the log, which names the reason of each loss. Counts of 0 are
    /// omitted.
    package func text(path: String) -> String {
        let refusals = (one: "fix was refused, and is", many: "fixes were refused, and are")
        let others: [(count: Int, words: (one: String, many: String), rest: String)] = [
            (droppedByDisk, Self.oldest, " dropped because the disk is full: free some space"),
            (
                unstored,
                (
                    "fix was dropped because the spool could not store it",
                    "fixes were dropped because the spool could not store them"
                ), ": an earlier message gives the reason"
            ),
            (
                expired,
                ("fix was dropped because it was", "fixes were dropped because they were"),
                " older than --spool-age: raise it to keep fixes longer"
            ),
            (
                untargeted,
                ("fix was dropped because its", "fixes were dropped because their"),
                " target was removed"
            ),
            (refused, refusals, " in the table refused of \(path)"),
            (refusedLost, refusals, " not stored because the disk was full"),
        ]
        let texts = others.filter { $0.count > 0 }.map { count, words, rest in
            Plural.text(count, words.one, words.many) + rest
        }
        let full = limited.isEmpty ? [] : ["the spool is full (--spool-size): \(limited)"]
        return (full + texts).joined(separator: "; ")
    }

    /// The description of the losses that the maximum size has caused; empty if there are none.
    private var limited: String {
        var parts: [String] = []
        if thinned > 0 {
            let distance = "within \(Int(tolerance)) m of the track"
            parts.append(
                Plural.text(thinned, "fix \(distance) was", "fixes \(distance) were") + " left out")
        }
        if dropped > 0 {
            parts.append(Plural.text(dropped, Self.oldest.one, Self.oldest.many) + " dropped")
        }
        return parts.joined(separator: ", ")
    }

    private static let oldest = (one: "of the oldest fixes was", many: "of the oldest fixes were")
}
