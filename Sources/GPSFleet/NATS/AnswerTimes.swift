// SPDX-License-Identifier: MIT

/// How long to wait for the answers to messages.
///
/// A message without an answer is sent again, and then has twice the time, because a slow link may
/// need longer for it. Otherwise, a large message would be sent again and again.
package struct AnswerTimes {
    private static let first = Duration.seconds(5)
    private static let maximum = Duration.seconds(60)
    /// The maximum number of messages with a longer time. Above it, all of them start again.
    private static let limit = 1024

    private var longer: [String: Duration] = [:]

    /// Creates an instance in which each message has five seconds.
    package init() {}

    /// Returns the time for the answer to the message with this id.
    package func time(for id: String) -> Duration { longer[id] ?? Self.first }

    /// Records that there was no answer in time.
    package mutating func timedOut(_ id: String) {
        let time = min(Self.maximum, time(for: id) * 2)
        if longer.count >= Self.limit { longer = [:] }
        longer[id] = time
    }

    /// Records an answer.
    package mutating func answered(_ id: String) { longer[id] = nil }
}
