// SPDX-License-Identifier: MIT

/// Finds the receivers whose messages a server does not store while it stores messages of other
/// receivers.
///
/// An example is a receiver of an earlier run with another name, whose subject no stream contains
/// or on which this user may not publish. A NATS server does not refuse such a message: it answers
/// as without a leader, or not at all.
struct FailingMembers {
    private struct Failures {
        /// The number of failures that came after a stored message of another receiver.
        var count = 0
        /// Whether a message of another receiver was stored after the last counted failure.
        var isOtherStored = false
    }

    /// The value of `Failures.count` from which on the receiver is the cause.
    private static let limit = 3

    /// The receivers with a failed message, and without a stored one since.
    private var members: [MemberName: Failures] = [:]

    /// Records that a message of this receiver was stored; `nil` for a kept message.
    mutating func stored(_ member: MemberName?) {
        guard !members.isEmpty, let member else { return }
        members[member] = nil
        for other in Array(members.keys) { members[other]?.isOtherStored = true }
    }

    /// Records that a message of this receiver was not stored. Returns whether the server stores
    /// only messages of other receivers.
    mutating func failed(_ member: MemberName) -> Bool {
        var failures = members[member] ?? Failures()
        if failures.isOtherStored { failures.count += 1 }
        failures.isOtherStored = false
        members[member] = failures
        return failures.count >= Self.limit
    }
}
