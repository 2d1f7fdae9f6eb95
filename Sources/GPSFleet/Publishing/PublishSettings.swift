// SPDX-License-Identifier: MIT

/// How fixes are sent.
package struct PublishSettings: Sendable {
    /// Which of the fixes that have been waiting are sent first.
    package enum BacklogOrder: String, CaseIterable, Sendable {
        case newest
        case oldest
    }

    /// The order in which the backlog is sent; the newest first by default.
    package var backlog = BacklogOrder.newest
    /// How long a fix may wait for others to be sent with.
    package var batchTime = Duration.zero
    /// Which part of that time a receiver's first message after connecting waits, from 0 to 1; random by default.
    package var firstShare: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// The number of fixes that are sent even if that time is not over.
    package var batchCount = 60
    /// After how long a time without a fix the last one is sent again, to say that the bridge runs.
    package var heartbeat = Duration.seconds(60)
    /// How many fixes may wait in memory, or two messages of each receiver where that is more; others wait in the
    /// spool.
    package var liveLimit = 20_000
    /// How long a message that an engine has acknowledged is kept, to be sent again if the engine loses it; zero
    /// keeps none. Servers of NATS write to the disk every two minutes.
    package var keepTime = Duration.seconds(150)
    /// The sender: the program with its version.
    package var software = ""

    /// Sends at once.
    package init() {}
}

/// The numbers of fixes published.
package struct PublishCounts: Hashable, Sendable {
    /// Messages that an engine has stored.
    package var messages = 0
    /// The fixes in them.
    package var fixes = 0
    /// The bytes of them, without the engine's own.
    package var bytes = 0
    /// How often a message had to be sent again.
    package var retries = 0

    /// The sum of two.
    static func + (a: PublishCounts, b: PublishCounts) -> PublishCounts {
        var sum = a
        sum.messages += b.messages
        sum.fixes += b.fixes
        sum.bytes += b.bytes
        sum.retries += b.retries
        return sum
    }
}
