// SPDX-License-Identifier: MIT

/// A destination for collected fixes. It is used by one thread at a time.
package protocol FixStore: AnyObject {
    /// The store's name for messages to the user.
    var name: String { get }

    /// Opens the store.
    ///
    /// The `kind` of a thrown error determines whether the caller retries.
    func open() throws(StoreError)

    /// Stores batches and rejected messages, and returns after they have been written durably.
    ///
    /// Fixes that are already stored are skipped, so a batch may be stored again after an error.
    func store(_ batches: [FixBatch], rejected: [RejectedMessage]) throws(StoreError) -> StoredCount

    /// Removes the fixes of days that are more than `days` days before the current day. Returns the
    /// number of days removed, not of files or tables.
    ///
    /// A clock that is ahead must not remove all days, so the current day is the earliest that
    /// several clocks show. `engineDay` is the current day by the NATS server's clock, as days
    /// since 1970; `nil` while it is unknown. A store that knows only this machine's clock then
    /// removes nothing.
    func dropDays(olderThan days: Int, engineDay: Int?) throws(StoreError) -> Int
}

/// The error of a store.
package struct StoreError: Error, CustomStringConvertible {
    /// How the caller must react to a failure.
    package enum Kind: Sendable {
        /// Retry later, because the store is unreachable.
        case passing
        /// The store cannot accept the data of at least one batch. Store the batches one at a time,
        /// and the refused batches as rejected messages.
        case data
        /// Do not retry, because an administrator must act.
        case permanent
    }

    /// How the caller must react.
    package let kind: Kind
    /// The reason as text.
    package let description: String

    /// Creates an error.
    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// The numbers of fixes that were stored, and of fixes that were skipped because they were already
/// stored.
package struct StoredCount: Sendable, Equatable {
    /// The number of fixes stored.
    package var new = 0
    /// The number of fixes skipped.
    package var duplicates = 0

    /// Creates a count of zero.
    package init() {}
}

/// A message that is not a valid batch of fixes, or whose data the store refused.
package struct RejectedMessage: Sendable {
    /// The name of the JetStream stream that contains the message.
    package let stream: String
    /// The message's sequence number in the stream.
    package let sequence: UInt64
    package let subject: String
    /// The reason why the message was rejected.
    package let reason: String
    package let bytes: [UInt8]
}
