// SPDX-License-Identifier: MIT

/// Which runs of updates a call belongs to: it is left out once all of them have been stopped.
struct UpdateRun: Sendable {
    /// Kinds of updates that are started and stopped by themselves.
    enum Updates {
        case locations, headings, all
    }

    var locations: Int?
    var headings: Int?

    /// Of an answer to a request, which belongs to no run.
    static let none = UpdateRun()
}
