// SPDX-License-Identifier: MIT

/// The results of assistance messages (`MGA`) that a simulated receiver has received.
public struct AssistanceCounts: Hashable, Sendable {
    /// Messages that were used.
    public var accepted = 0
    /// Entries of another receiver's database, or of another firmware's.
    public var foreign = 0
    /// Entries that were too old to help.
    public var stale = 0
    /// Entries that came before the time was known.
    public var early = 0
    /// Times and positions that were wrong by more than their accuracy.
    public var wrong = 0
}
