// SPDX-License-Identifier: MIT

/// Where a collector puts fixes. Used by one thread at a time.
package protocol FixStore: AnyObject {
    /// The name for messages.
    var name: String { get }

    /// Prepares it.
    ///
    /// Throws where that is not possible, or not now.
    func open() throws(StoreError)

    /// Stores batches and rejected messages; returns when they are safe from a crash.
    ///
    /// Fixes that are stored already are skipped, so a batch may be stored again after an error.
    func store(_ batches: [FixBatch], rejected: [RejectedMessage]) throws(StoreError) -> StoredCount

    /// Removes days that began more than `days` days ago; returns how many there were.
    func dropDays(olderThan days: Int) throws(StoreError) -> Int
}

/// Why a store has not stored.
package struct StoreError: Error, CustomStringConvertible {
    /// The reaction to a failure.
    package enum Kind: Sendable {
        /// Wait: it is away.
        case passing
        /// Store the rest without these: they are not what it can take.
        case data
        /// Do not retry; an administrator has to act.
        case permanent
    }

    /// The reaction to the failure.
    package let kind: Kind
    /// The reason, in words.
    package let description: String

    /// Creates an error.
    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// The numbers of fixes that were stored, or skipped because they were there already.
package struct StoredCount: Sendable, Equatable {
    /// How many were stored.
    package var new = 0
    /// How many were there already.
    package var duplicates = 0

    /// Creates a count of nothing.
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
