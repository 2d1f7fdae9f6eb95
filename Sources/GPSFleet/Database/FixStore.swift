// SPDX-License-Identifier: MIT

/// A destination for collected fixes. Used by one thread at a time.
package protocol FixStore: AnyObject {
    /// The name for messages.
    var name: String { get }

    /// Prepares the store.
    ///
    /// Throws if that is not possible, or not possible now.
    func open() throws(StoreError)

    /// Stores batches and rejected messages; returns when they are safe from a crash.
    ///
    /// Skips fixes that are already stored, so a batch may be stored again after an error.
    func store(_ batches: [FixBatch], rejected: [RejectedMessage]) throws(StoreError) -> StoredCount

    /// Removes days that began more than `days` days ago; returns how many there were.
    func dropDays(olderThan days: Int) throws(StoreError) -> Int
}

/// The reason why a store failed.
package struct StoreError: Error, CustomStringConvertible {
    /// The reaction to a failure.
    package enum Kind: Sendable {
        /// Retry later: the store is unreachable.
        case passing
        /// Store the rest without these batches: the store cannot accept their data.
        case data
        /// Do not retry: an administrator has to act.
        case permanent
    }

    /// The reaction to the failure.
    package let kind: Kind
    /// The reason as text.
    package let description: String

    /// Creates an error.
    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// The numbers of fixes that were stored, and that were skipped because they already were.
package struct StoredCount: Sendable, Equatable {
    /// The number of fixes stored.
    package var new = 0
    /// The number of fixes skipped.
    package var duplicates = 0

    /// Creates a count of zero.
    package init() {}
}

/// A message that is not a batch of fixes.
package struct RejectedMessage: Sendable {
    /// The stream it was in, and its number there.
    package let stream: String
    package let sequence: UInt64
    package let subject: String
    /// The reason why it was rejected.
    package let reason: String
    package let bytes: [UInt8]
}
