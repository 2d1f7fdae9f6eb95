// SPDX-License-Identifier: MIT

/// Identifies the runs of location and heading updates that a delegate call belongs to. A run lasts
/// until the updates are stopped. A call is dropped when all its runs have been stopped.
struct UpdateRun: Sendable {
    /// The kinds of updates. Locations and headings are started and stopped independently.
    enum Updates {
        case locations, headings, all
    }

    var locations: Int?
    var headings: Int?

    /// The value for the results of requests, which belong to no run.
    static let none = UpdateRun()
}
