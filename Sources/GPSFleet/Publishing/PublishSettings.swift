// SPDX-License-Identifier: MIT

/// Settings for sending fixes.
package struct PublishSettings: Sendable {
    /// The order in which the backlog is sent.
    package enum BacklogOrder: String, CaseIterable, Sendable {
        case newest
        case oldest
    }

    /// The order in which the backlog is sent; the newest first by default.
    package var backlog = BacklogOrder.newest
    /// The maximum time that a fix waits to be sent together with later ones.
    package var batchTime = Duration.zero
    /// The part of the batch time, from 0 to 1, that a receiver's first message after connecting
    /// waits. Default: random.
    package var firstShare: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// The number of fixes that are sent without waiting for the batch time to pass.
    package var batchCount = 60
    /// The time without a fix after which the last one is sent again, to show that the bridge runs.
    package var heartbeat = Duration.seconds(60)
    /// The maximum number of live fixes in memory, but at least two messages of each receiver.
    /// Further fixes wait in the spool.
    package var liveLimit = 20_000
    /// The time for which an acknowledged message is kept, to be sent again if the engine loses it; zero
    /// keeps none. NATS servers write to disk every two minutes.
    package var keepTime = Duration.seconds(150)
    /// The name and version of the sending program.
    package var software = ""

    /// Creates the default settings, with which fixes are sent at once.
    package init() {}
}

/// The numbers of fixes published.
package struct PublishCounts: Hashable, Sendable {
    /// Messages that an engine has stored.
    package var messages = 0
    /// Fixes in these messages.
    package var fixes = 0
    /// Bytes of their payloads.
    package var bytes = 0
    /// The number of times that a message had to be sent again.
    package var retries = 0

    /// Adds two counts.
    static func + (a: PublishCounts, b: PublishCounts) -> PublishCounts {
        var sum = a
        sum.messages += b.messages
        sum.fixes += b.fixes
        sum.bytes += b.bytes
        sum.retries += b.retries
        return sum
    }
}
