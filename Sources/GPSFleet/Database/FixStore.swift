// SPDX-License-Identifier: MIT

/// Where a collector puts fixes. Used by one thread at a time.
package protocol FixStore: AnyObject {
    /// What messages call it.
    var name: String { get }

    /// Prepares it.
    ///
    /// Throws where that is not possible, or not now.
    func open() throws(StoreError)

    /// Stores batches, and messages that are none; returns once all of it will survive a crash.
    ///
    /// What was stored before is left out. After an error the same may be stored again.
    func store(_ batches: [FixBatch], rejected: [RejectedMessage]) throws(StoreError) -> StoredCount

    /// Removes days that began more than so many days ago; returns how many there were.
    func dropDays(olderThan days: Int) throws(StoreError) -> Int
}

/// Why a store has not stored.
package struct StoreError: Error, CustomStringConvertible {
    /// What is to be done about it.
    package enum Kind: Sendable {
        /// Wait: it is away.
        case passing
        /// Store the rest without these: they are not what it can take.
        case data
        /// Nothing; somebody has to look at it.
        case permanent
    }

    /// What is to be done about it.
    package let kind: Kind
    /// The reason, in words.
    package let description: String

    /// Creates an error.
    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// What became of fixes.
package struct StoredCount: Sendable, Equatable {
    /// How many were stored.
    package var new = 0
    /// How many were there already.
    package var duplicates = 0

    /// Creates a count of nothing.
    package init() {}
}

/// A message that is no batch of fixes.
package struct RejectedMessage: Sendable {
    /// The stream it was in, and its number there.
    package let stream: String
    package let sequence: UInt64
    package let subject: String
    /// What is wrong with it.
    package let reason: String
    package let bytes: [UInt8]
}
