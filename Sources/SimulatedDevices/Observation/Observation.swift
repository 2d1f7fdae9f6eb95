// SPDX-License-Identifier: MIT
public import GNSS

/// What a receiver makes of the sky at one epoch, beside what is true.
public struct Observation: Hashable, Sendable {
    /// What is true.
    public var truth: Truth
    /// The receiver's own time; `nil` until it has learned it.
    public var time: UTCTime?
    /// The satellites that the receiver lists, by id.
    public var satellites: [ObservedSatellite]
    /// Its position; `nil` without a fix.
    public var solution: Solution?

    /// Makes an observation.
    public init(
        truth: Truth, time: UTCTime?, satellites: [ObservedSatellite], solution: Solution?
    ) {
        self.truth = truth
        self.time = time
        self.satellites = satellites
        self.solution = solution
    }
}
