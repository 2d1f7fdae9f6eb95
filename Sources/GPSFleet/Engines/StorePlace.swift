// SPDX-License-Identifier: MIT

/// Where an engine has stored a message.
package struct StorePlace: Hashable, Sendable {
    /// The stream's name.
    package let stream: String
    /// The message's number in it: numbers rise, and none is used again unless the engine loses its last messages.
    package let number: UInt64

    /// Names a place.
    package init(stream: String, number: UInt64) {
        self.stream = stream
        self.number = number
    }
}

/// An engine's answer to a message that it has stored.
package struct StoreReceipt: Hashable, Sendable {
    /// Where it is.
    package let place: StorePlace
    /// Whether the engine had it before.
    package let isDuplicate: Bool

    /// Creates a receipt.
    package init(place: StorePlace, isDuplicate: Bool = false) {
        self.place = place
        self.isDuplicate = isDuplicate
    }
}

/// Whether an engine has a message still.
package enum StorePresence: Sendable {
    /// It has, or its limits or people have removed it since.
    case present
    /// It has lost it.
    case missing
    /// It does not answer the question.
    case unknown
}
