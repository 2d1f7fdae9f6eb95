// SPDX-License-Identifier: MIT

/// The time limits for the answers to messages.
///
/// A message without an answer in time is sent again with twice the limit. With a constant limit, a
/// large message on a slow link would be sent again and again.
package struct AnswerTimes {
    private static let first = Duration.seconds(5)
    private static let maximum = Duration.seconds(60)
    /// The maximum number of messages with a longer time limit. When it is reached, all messages
    /// get the first limit again.
    private static let limit = 1024

    private var longer: [String: Duration] = [:]

    /// Creates limits of five seconds for all messages.
    package init() {}

    /// Returns the time limit for the answer to the message with this id.
    package func time(for id: String) -> Duration { longer[id] ?? Self.first }

    /// Doubles the limit of a message that was not answered in time.
    package mutating func timedOut(_ id: String) {
        let time = min(Self.maximum, time(for: id) * 2)
        if longer.count >= Self.limit { longer = [:] }
        longer[id] = time
    }

    /// Removes the longer limit of a message that was answered.
    package mutating func answered(_ id: String) { longer[id] = nil }
}
