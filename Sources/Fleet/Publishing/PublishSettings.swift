// SPDX-License-Identifier: MIT

/// How fixes are sent.
package struct PublishSettings: Sendable {
    /// Which of the fixes that have been waiting are sent first.
    package enum BacklogOrder: String, CaseIterable, Sendable {
        case newest
        case oldest
    }

    /// What is sent first of what has waited; the newest by default.
    package var backlog = BacklogOrder.newest
    /// How long a fix may wait for others to be sent with.
    package var batchTime = Duration.zero
    /// The number of fixes that are sent even if that time is not over.
    package var batchCount = 60
    /// After how long a time without a fix the last one is sent again, to say that the bridge runs.
    package var heartbeat = Duration.seconds(60)
    /// How many fixes may wait in memory; more wait in the spool.
    package var liveLimit = 20_000
    /// Who sends: the program with its version.
    package var software = ""

    /// Sends at once.
    package init() {}
}
