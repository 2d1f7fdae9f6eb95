// SPDX-License-Identifier: MIT
package import GNSS

/// Determines the log lines about the connection to a server.
///
/// If two bridges have the same name, an MQTT broker disconnects each of them when the other one
/// connects, so both reconnect every few seconds. The log reports this once.
package struct ConnectionLog {
    /// The duration below which a connection counts as short.
    private static let shortTime = Duration.seconds(30)
    /// The number of consecutive short connections after which further ones are not reported.
    private static let limit = 4

    private var start: MonotonicInstant?
    private var shortCount = 0

    /// Creates the log of a connection that has not been established yet.
    package init() {}

    /// Returns the log line for a new connection; `nil` if it is not reported.
    package mutating func connected(now: MonotonicInstant) -> String? {
        start = now
        return shortCount < Self.limit ? "connected" : nil
    }

    /// Returns the line for a lost connection, or for a failed attempt to connect; `nil` if it is
    /// not reported.
    package mutating func disconnected(_ reason: String, now: MonotonicInstant) -> String? {
        let text = "not connected: \(reason)"
        guard let start else { return text }
        self.start = nil
        shortCount = now - start < Self.shortTime ? shortCount + 1 : 0
        guard shortCount == Self.limit else { return shortCount < Self.limit ? text : nil }
        return text + "; connections are lost again after a few seconds: if another bridge has the "
            + "same name, give this bridge a different one with --bridge NAME"
    }

    /// Returns the log line for a connection that lasts after many short ones; `nil` otherwise.
    package mutating func lasting(now: MonotonicInstant) -> String? {
        guard shortCount >= Self.limit, let start, start + Self.shortTime <= now else {
            return nil
        }
        shortCount = 0
        return "connected"
    }
}
