// SPDX-License-Identifier: MIT

/// The place where an engine stored a message.
package struct StorePlace: Hashable, Sendable {
    /// The stream's name.
    package let stream: String
    /// The message's number in the stream. Numbers increase, and are used again only if the engine
    /// loses its last messages.
    package let number: UInt64

    /// Creates a place.
    package init(stream: String, number: UInt64) {
        self.stream = stream
        self.number = number
    }
}

/// An engine's confirmation that it has stored a message.
package struct StoreReceipt: Hashable, Sendable {
    /// The place of the message.
    package let place: StorePlace
    /// Whether the engine already had the message.
    package let isDuplicate: Bool

    /// Creates a receipt.
    package init(place: StorePlace, isDuplicate: Bool = false) {
        self.place = place
        self.isDuplicate = isDuplicate
    }
}

/// Whether an engine still has a message.
package enum StorePresence: Sendable {
    /// The engine has the message, or it was removed since by a limit or an administrator.
    case present
    /// The engine has lost the message.
    case missing
    /// The engine does not answer.
    case unknown
}
