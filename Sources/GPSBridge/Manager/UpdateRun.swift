// SPDX-License-Identifier: MIT

/// Identifies the runs of updates to which a call belongs; it is dropped once all of them have been
/// stopped.
struct UpdateRun: Sendable {
    /// The kinds of updates, which are started and stopped independently.
    enum Updates {
        case locations, headings, all
    }

    var locations: Int?
    var headings: Int?

    /// The value for results of requests, which belong to no run.
    static let none = UpdateRun()
}
