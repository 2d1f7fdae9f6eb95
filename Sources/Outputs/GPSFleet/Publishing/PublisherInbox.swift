// SPDX-License-Identifier: MIT
import Delegation
package import GNSS
import GPSIO
package import GPSReceivers

/// Fixes of receivers and events of servers that a publisher has not handled yet.
///
/// Sources that can wait are paused while the inbox is full, and while the publisher requests it
/// with `holding`.
package final class PublisherInbox: Sendable {
    /// A fix with the name of its receiver.
    package struct Incoming: Sendable {
        /// The receiver's name.
        package var member: MemberName
        /// Whether the fix is live, recorded or simulated.
        package var origin: DataOrigin
        /// The fix. Its sequence number is not set yet.
        package var row: FixRow

        /// Creates a fix of a member, before it gets its sequence number.
        package init(member: MemberName, origin: DataOrigin, row: FixRow) {
            self.member = member
            self.origin = origin
            self.row = row
        }
    }

    /// The result of reading receivers until their data ended.
    package enum Outcome: Int, Sendable {
        case success
        /// A receiver had no valid sentence.
        case nothingFound
        /// The data of a receiver ended with an error.
        case failed

        /// Creates the outcome of reading one receiver.
        package init(_ ending: ReceiverCondition.Ending) {
            self = ending.isEmpty ? .nothingFound : ending.error == nil ? .success : .failed
        }

        /// Returns the worse one of two outcomes.
        func combined(with other: Outcome) -> Outcome { rawValue < other.rawValue ? other : self }
    }

    struct Contents: Sendable {
        var fixes: [Incoming] = []
        var events: [(target: Int, event: EngineEvent)] = []
        var notes: [LeveledMessage] = []
        var endedCount = 0
        var outcome = Outcome.success
    }

    /// The number of fixes in the inbox above which sources that can wait are paused.
    private static let limit = 5000

    /// Represents the inbox in the sessions that read the receivers. The flow control of these
    /// sessions pauses sources that can wait.
    package let member = SessionMember()
    private let inbox: Inbox<Contents>

    /// Creates an inbox. Throws a `DeviceError` if the process has no file descriptors left.
    package init() throws(DeviceError) {
        let flow = member.flow
        inbox = try DeviceError.converted { () throws(IOError) in
            try Inbox(
                Contents(), isFull: { $0.fixes.count > Self.limit }, setFull: flow.setFull)
        }
    }

    /// Appends fixes.
    package func append(_ fixes: [Incoming]) { inbox.change { $0.fixes += fixes } }

    /// Appends a fix.
    package func append(_ fix: Incoming) { inbox.change { $0.fixes.append(fix) } }

    /// Appends an event from a target's server. `target` is the index of the target.
    func append(_ event: EngineEvent, of target: Int) {
        inbox.change { $0.events.append((target, event)) }
    }

    /// Appends a line for the log.
    package func note(_ text: String, _ level: MessageLevel = .info) {
        inbox.change { $0.notes.append(LeveledMessage(text, level)) }
    }

    /// Records that a receiver's data has ended.
    package func end(_ outcome: Outcome = .success) {
        inbox.change {
            $0.endedCount += 1
            $0.outcome = $0.outcome.combined(with: outcome)
        }
    }

    /// The number of waiting fixes.
    package var count: Int { inbox.contents.fixes.count }

    /// Removes and returns the contents. If there are none, waits until there are some, the
    /// deadline has passed or the task is cancelled. If `holding` is `true`, the inbox counts as
    /// full until the next call, which pauses sources that can wait.
    func next(until deadline: MonotonicInstant?, holding: Bool) async -> Contents {
        await inbox.next(until: deadline, staysFull: holding)
    }
}
