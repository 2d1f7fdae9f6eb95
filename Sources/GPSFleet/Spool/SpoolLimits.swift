// SPDX-License-Identifier: MIT

/// The limits of a spool's size and age.
package struct SpoolLimits: Hashable, Sendable {
    /// The maximum number of used bytes in the file.
    package var size: Int64 = 256 << 20
    /// Seconds after which a fix is dropped, by its own time.
    package var age: Double = 30 * 86_400
    /// The maximum number of bytes of acknowledged messages that are kept.
    package var keptSize: Int64 { min(32 << 20, size / 8) }

    /// Creates the default limits: 256 MiB and 30 days, about a month at 1 Hz.
    package init() {}
}

/// The fixes that a spool has dropped because of its limits.
package struct SpoolLoss: Hashable, Sendable {
    /// Fixes removed because they are close to the line between others.
    package var thinned = 0
    /// The maximum distance of these from the line, in metres.
    package var tolerance = 0.0
    /// Fixes dropped as the oldest of a full spool.
    package var dropped = 0
    /// Fixes dropped because of their age.
    package var expired = 0

    /// Creates a loss of zero.
    package init() {}

    /// A description for the log; counts of 0 are omitted.
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
