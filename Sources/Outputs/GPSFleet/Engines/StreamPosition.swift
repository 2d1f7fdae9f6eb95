// SPDX-License-Identifier: MIT

/// The position of a message that a server has stored.
package struct StreamPosition: Hashable, Sendable {
    /// The stream's name.
    package let stream: String
    /// The message's sequence number in the stream. Sequence numbers increase. They are assigned
    /// again only if the server loses its last messages.
    package let number: UInt64

    /// Creates a position from a stream's name and a sequence number in it.
    package init(stream: String, number: UInt64) {
        self.stream = stream
        self.number = number
    }
}

/// A server's confirmation that it has stored a message.
package struct StoreReceipt: Hashable, Sendable {
    /// The position of the message.
    package let position: StreamPosition
    /// Whether the server already had the message, and so has dropped the new one.
    package let isDuplicate: Bool

    /// Creates a receipt.
    package init(position: StreamPosition, isDuplicate: Bool = false) {
        self.position = position
        self.isDuplicate = isDuplicate
    }
}

/// Whether a server still has a message.
package enum StorePresence: Sendable {
    /// The server has the message, or had it until a limit or an administrator removed it.
    case present
    /// The server has lost the message.
    case missing
    /// The server did not answer.
    case unknown
}
