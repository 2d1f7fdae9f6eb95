// SPDX-License-Identifier: MIT

/// How much a spool holds.
package struct SpoolLimits: Hashable, Sendable {
    /// Bytes of its file that may be in use.
    package var size: Int64 = 256 << 20
    /// Seconds after which a fix is dropped, by its own time.
    package var age: Double = 30 * 86_400
    /// Bytes of messages that a target has acknowledged, and may still lose.
    package var keptSize: Int64 { min(32 << 20, size / 8) }

    /// 256 MiB and 30 days: about a month at 1 Hz.
    package init() {}
}

/// The fixes that a spool has dropped because of its limits.
package struct SpoolLoss: Hashable, Sendable {
    /// Fixes that were left out as they lie near the line between others.
    package var thinned = 0
    /// Metres that these lay off the line at the most.
    package var tolerance = 0.0
    /// Fixes that were dropped as the oldest of a full spool.
    package var dropped = 0
    /// Fixes that were dropped as they were too old.
    package var expired = 0

    /// Nothing.
    package init() {}

    /// A description for the log; losses that are 0 are left out.
    package var text: String {
        var parts: [String] = []
        if thinned > 0 {
            parts.append("\(thinned) fixes within \(Int(tolerance)) m of the track were left out")
        }
        if dropped > 0 { parts.append("\(dropped) of the oldest fixes were dropped") }
        if expired > 0 { parts.append("\(expired) fixes were too old") }
        return parts.joined(separator: ", ")
    }
}
