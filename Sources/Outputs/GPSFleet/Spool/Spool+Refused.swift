// SPDX-License-Identifier: MIT

/// A message that a server has finally refused.
package struct RefusedMessage: Sendable, Equatable {
    /// The message as it was sent.
    package let message: EngineMessage
    /// The server's reason in words.
    package let reason: String
    /// The sequence numbers of the message's fixes.
    package let sequences: [Int64]

    /// Creates a refused message.
    package init(message: EngineMessage, reason: String, sequences: [Int64]) {
        self.message = message
        self.reason = reason
        self.sequences = sequences
    }
}

/// Refused messages, which are stored so that a user can find out why they were refused. The oldest
/// ones are dropped above a size limit, and all of them if the disk is full.
extension Spool {
    static let createRefused = """
        CREATE TABLE IF NOT EXISTS refused(number INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT,
            time INTEGER, reason TEXT, id TEXT, body BLOB)
        """

    /// Stores messages that a target refused, without removing their fixes from the waiting fixes.
    /// If the disk is full, the messages are only counted.
    package func setAside(_ messages: [RefusedMessage], by target: String) throws(FleetError) {
        guard !messages.isEmpty else { return }
        let count = messages.reduce(0) { $0 + $1.sequences.count }
        do throws(FleetError) {
            try store(messages, target)
            loss.refused += count
        } catch  where error.isFull {
            // The messages are lost, but the log contains their number.
            loss.refusedLost += count
        }
    }

    private func store(
        _ messages: [RefusedMessage], _ target: String
    ) throws(FleetError) {
        try database.transaction { () throws(FleetError) in
            let insertion = try database.prepare(
                "INSERT INTO refused(time,target,reason,id,body) VALUES(?,?,?,?,?)")
            for each in messages {
                insertion.bind(1, BridgeClock.now)
                insertion.bind(2, target)
                insertion.bind(3, each.reason)
                insertion.bind(4, each.message.id)
                insertion.bind(5, each.message.bytes)
                _ = try insertion.step()
            }
            try database.prepare(
                """
                DELETE FROM refused WHERE number IN (SELECT number FROM (SELECT number,
                    sum(length(body)+200) OVER (ORDER BY number DESC) AS size FROM refused) WHERE size>?)
                """
            ).run(limits.refusedSize)
        }
    }
}
