// SPDX-License-Identifier: MIT

/// Counts the assistance messages (`MGA`) that a simulated receiver has received, by result.
public struct AssistanceCounts: Hashable, Sendable {
    /// The number of messages acknowledged as accepted, including stale entries and wrong times and
    /// positions.
    public var accepted = 0
    /// The number of database entries rejected because another receiver or firmware created them.
    public var foreign = 0
    /// The number of database entries that were accepted but not used, because they are older than
    /// a week or from the future.
    public var stale = 0
    /// The number of entries rejected because the receiver did not know the time yet.
    public var early = 0
    /// The number of time and position messages whose error was too large: more than three times
    /// the stated accuracy, and more than 2 s or 1 km.
    public var wrong = 0
}
