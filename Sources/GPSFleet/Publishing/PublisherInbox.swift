// SPDX-License-Identifier: MIT
import Delegation
package import GNSS
import GPSIO
package import GPSReceivers
import Synchronization

/// What receivers and engines have sent and a publisher has not handled yet.
///
/// A source that can wait does so while much waits here, or while the publisher has it held.
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

        var isEmpty: Bool {
            fixes.isEmpty && events.isEmpty && notes.isEmpty && endedCount == 0
        }
    }

    private struct State {
        var contents = Contents()
        var isHeld = false
        var isSignalled = false
    }

    /// More fixes than that hold a source.
    private static let limit = 5000

    /// The inbox as a member of sessions.
    package let member = SessionMember()
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// Throws a `DeviceError` where the process has no descriptors left.
    package init() throws(DeviceError) {
        wakeUp = try DeviceError.converted(WakeUp.init)
    }

    /// Appends fixes.
    package func append(_ fixes: [Incoming]) { change { $0.fixes += fixes } }

    /// Appends a fix.
    package func append(_ fix: Incoming) { change { $0.fixes.append(fix) } }

    /// Appends what an engine reports.
    func append(_ event: EngineEvent, of target: Int) {
        change { $0.events.append((target, event)) }
    }

    /// Appends what is to be logged.
    package func note(_ text: String) { change { $0.notes.append(text) } }

    /// A receiver has come to its end.
    package func end() { change { $0.endedCount += 1 } }

    /// How many fixes wait.
    package var count: Int { state.withLock { $0.contents.fixes.count } }

    private func change(_ body: (inout Contents) -> Void) {
        let (mustSignal, mustHold) = state.withLock { state in
            body(&state.contents)
            let mustHold = !state.isHeld && state.contents.fixes.count > Self.limit
            if mustHold { state.isHeld = true }
            defer { state.isSignalled = true }
            return (!state.isSignalled, mustHold)
        }
        if mustHold { member.flow.change(from: .none, to: .read) }
        if mustSignal { wakeUp.signal() }
    }

    /// Takes what is there; waits for it until the deadline, or until cancellation.
    func next(until deadline: MonotonicInstant?, holding: Bool) async -> Contents {
        let ready = take(holding)
        if !ready.isEmpty { return ready }
        _ = await wakeUp.wait(until: deadline)
        return take(holding)
    }

    private func take(_ holding: Bool) -> Contents {
        let (contents, was) = state.withLock { state in
            defer {
                state.contents = Contents()
                state.isHeld = holding
                state.isSignalled = false
            }
            return (state.contents, state.isHeld)
        }
        if was != holding {
            member.flow.change(from: was ? .read : .none, to: holding ? .read : .none)
        }
        return contents
    }
}
