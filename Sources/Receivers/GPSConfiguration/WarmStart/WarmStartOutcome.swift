// SPDX-License-Identifier: MIT
import GNSS

/// The result of a warm start session.
package enum WarmStartOutcome: Hashable, Sendable {
    /// The receiver was identified. The data stored for it is `nil` if there is none.
    case identified(WarmStartReceiver, WarmStartData?)
    /// Stored data was sent to the receiver.
    case restored(WarmStartTransfer)
    /// The receiver's data was read.
    case collected(WarmStartData)
    /// Nothing was sent, or nothing is to be stored.
    case failed(WarmStartObstacle)
}

/// Counts the messages that were sent to a receiver, by their result.
package struct WarmStartTransfer: Hashable, Sendable {
    /// The age of the data in seconds.
    package var age: Double
    /// Whether the time was sent, and the receiver accepted it or does not acknowledge messages.
    package var hasTime = false
    /// The number of messages (time, position and entries) that the receiver accepted.
    package var acceptedCount = 0
    /// The number of messages that the receiver refused.
    package var refusedCount = 0
    /// The number of messages that the receiver should have acknowledged, but did not.
    package var unansweredCount = 0
    /// The number of messages that were sent while the receiver did not acknowledge assistance
    /// data.
    package var unconfirmedCount = 0
}

extension WarmStartTransfer: CustomStringConvertible {
    /// A message for the user.
    package var description: String {
        let minutes = Int((max(0, age) / 60).rounded())
        let refused = refusedCount > 0 ? ", refused \(refusedCount)" : ""
        let lost = unansweredCount > 0 ? ", and did not answer \(unansweredCount)" : ""
        let data = "of the data that was stored \(minutes) min ago"
        let used = Plural.text(acceptedCount, "message")
        let sent = Plural.text(unconfirmedCount, "message")
        return
            (unconfirmedCount > 0
            ? "the receiver got \(sent) \(data), but does not acknowledge such messages"
            : "the receiver used \(used) \(data)") + refused + lost
    }
}

/// The reason why no data is sent to a receiver, or why none is stored.
package enum WarmStartObstacle: String, Error, Hashable, Sendable {
    /// The receiver is not a u-blox receiver of generation M8 or later.
    case unsupported = "the receiver is not a u-blox of generation M8 or later"
    /// The receiver has no unique number, and its USB device has no serial number.
    case notIdentified = "the receiver has no serial number that identifies it"
    /// The receiver already has a fix.
    case hasFix = "the receiver has a fix"
    /// The receiver has no 3D fix, so its data is not stored.
    case noFix = "the receiver has no 3D fix"
    /// No data is stored for the receiver.
    case nothingStored = "nothing is stored for this receiver yet"
    /// The stored data was read from another firmware version.
    case otherFirmware = "the stored data was read when the receiver had another firmware version"
    /// Neither the system nor the receiver knows the time.
    case clockNotSynchronized = "the system's clock is not synchronised"
    /// The stored data is older than a week, or from the future.
    case outdated = "the stored data is older than a week, or from the future"
    /// The receiver's time differs from the time of the system's clock.
    case timesDiffer = "the receiver's time differs from the system's"
    /// The receiver's database was not received completely.
    case incomplete = "not all of the receiver's navigation database was received"
    /// The receiver was unplugged, or did not answer in time.
    case interrupted = "the receiver was unplugged, or did not answer in time"
}

extension WarmStartObstacle: CustomStringConvertible {
    /// A message for the user.
    package var description: String { rawValue }
}
