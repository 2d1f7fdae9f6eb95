// SPDX-License-Identifier: MIT
import GNSS

/// A fix that has not been handed over, and what its epoch's view of the satellites takes from it.
struct CompleteFix: Equatable, Sendable {
    var fix: Fix
    /// The satellites it uses.
    var used: SatelliteIDSet
    /// Whether a complete view of an earlier epoch comes before it.
    var isAfterView: Bool
    /// Whether its epoch is over.
    var isAtEnd: Bool
}
