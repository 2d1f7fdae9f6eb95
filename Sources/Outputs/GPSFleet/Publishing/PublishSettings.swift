// SPDX-License-Identifier: MIT

/// Settings for sending fixes.
package struct PublishSettings: Sendable {
    /// The order in which the backlog is sent.
    package enum BacklogOrder: String, CaseIterable, Sendable {
        case newest
        case oldest
    }

    /// The order in which the backlog is sent, after live fixes. `nil`, the default, sends it
    /// newest first; to an engine whose `isOrdered` is `true`, oldest first and before live fixes.
    package var backlog: BacklogOrder?
    /// The maximum time that a fix waits for later fixes, to be sent in the same message.
    package var batchTime = Duration.zero
    /// Returns the fraction of `batchTime`, from 0 to 1, that a receiver's first message after
    /// connecting waits. Default: random.
    package var firstFraction: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// The number of waiting fixes of a receiver at which they are sent, even if `batchTime` has
    /// not elapsed.
    package var batchCount = 60
    /// The time without new fixes after which a receiver's last fix is sent again, to show that the
    /// bridge is running.
    var heartbeat = Duration.seconds(60)
    /// The maximum number of live fixes in memory. If there are more, all of them are moved to the
    /// backlog in the spool. Two full messages for each receiver are always permitted.
    package var liveLimit = 20_000
    /// How long an acknowledged message is kept in the spool, so that it can be resent if the
    /// server loses it. Zero keeps none. The default is longer than the two minutes after which
    /// NATS servers write to disk.
    package var keepTime = Duration.seconds(150)
    /// The name and version of the sending program.
    package var software = ""

    /// Creates the default settings, which send fixes immediately.
    package init() {}
}

/// Statistics of published messages and fixes.
package struct PublishCounts: Hashable, Sendable {
    /// The number of messages that a server has stored.
    package var messages = 0
    /// The number of fixes in the stored messages.
    package var fixes = 0
    /// The number of bytes in the stored messages.
    package var bytes = 0
    /// The number of times that a message was resent.
    package var retries = 0
    /// The number of fixes that a server has finally refused.
    package var refused = 0

    /// Returns the sum of two statistics.
    static func + (a: PublishCounts, b: PublishCounts) -> PublishCounts {
        var sum = a
        sum.messages += b.messages
        sum.fixes += b.fixes
        sum.bytes += b.bytes
        sum.retries += b.retries
        sum.refused += b.refused
        return sum
    }
}
