// SPDX-License-Identifier: MIT
import Delegation
package import GNSS
import GPSIO
package import GPSReceivers

/// Events of receivers and engines that a publisher has not handled yet.
///
/// A source that can wait pauses while the inbox is full, or while the publisher holds it.
package final class PublisherInbox: Sendable {
    /// A fix of a receiver, which is known by its name.
    package struct Incoming: Sendable {
        /// Whose fix it is.
        package var member: MemberName
        /// Whether it is live, recorded or simulated.
        package var origin: DataOrigin
        /// The fix, without a number.
        package var row: FixRow

        /// Creates a fix.
        package init(member: MemberName, origin: DataOrigin, row: FixRow) {
            self.member = member
            self.origin = origin
            self.row = row
        }
    }

    struct Contents: Sendable {
        var fixes: [Incoming] = []
        var events: [(target: Int, event: EngineEvent)] = []
        var notes: [String] = []
        var endedCount = 0
    }

    /// More fixes than that hold a source.
    private static let limit = 5000

    /// The inbox as a member of sessions.
    package let member = SessionMember()
    private let inbox: Inbox<Contents>

    /// Throws a `DeviceError` where the process has no descriptors left.
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

    /// Appends what an engine reports.
    func append(_ event: EngineEvent, of target: Int) {
        inbox.change { $0.events.append((target, event)) }
    }

    /// Appends what is to be logged.
    package func note(_ text: String) { inbox.change { $0.notes.append(text) } }

    /// A receiver has come to its end.
    package func end() { inbox.change { $0.endedCount += 1 } }

    /// How many fixes wait.
    package var count: Int { inbox.contents.fixes.count }

    /// Takes what is there; waits for it until the deadline, or until cancellation.
    func next(until deadline: MonotonicInstant?, holding: Bool) async -> Contents {
        await inbox.next(until: deadline, staysFull: holding)
    }
}
