// SPDX-License-Identifier: MIT
package import Delegation
import GNSS
package import GPSReceivers
import Synchronization

/// A receiver whose fixes are published.
package struct PublishedReceiver: Sendable {
    /// The source of the receiver's data.
    package let source: any DeviceSource
    /// The receiver's name in the fleet.
    package let member: MemberName

    /// Creates a receiver.
    package init(_ source: any DeviceSource, as member: MemberName) {
        self.source = source
        self.member = member
    }

    /// Reads the receiver and appends its fixes, its messages and the end of its data to an inbox.
    /// Reading stops when the result is released.
    package func publish(to inbox: PublisherInbox, at rate: FixRate) -> ScopedSubscription {
        var reporter = ConditionReporter(source, .always)
        reporter.purpose = " as \(member)"
        reporter.isLog = true
        let rows = PublishedRows(rate: rate, origin: source.origin)
        let state = Mutex(State(rows: rows, reporter: reporter))
        let (member, source) = (member, source)
        let session = ReceiverPool.shared.session(for: source)
        // A change of the anchor watch is reported before the update that caused it, so the row for
        // that update already contains it.
        let watch = session.navigation?.changes.observe { navigation in
            state.withLock { $0.rows.anchor = navigation.anchor }
            for text in navigation.messages { inbox.note("\(member): \(text)") }
        }.scoped
        let receive: @Sendable (ReceiverUpdate) -> Void = { update in
            if case .message(let message) = state.withLock({ $0.reporter.report(update) }) {
                inbox.note(message, update.level)
            }
            if let (row, origin) = state.withLock({ $0.rows.row(after: update) }) {
                inbox.append(PublisherInbox.Incoming(member: member, origin: origin, row: row))
            }
            guard case .condition(.ended(let ending), _) = update else { return }
            if ending.isEmpty, ending.error == nil {
                inbox.note("\(member): no valid sentence was received", .error)
            }
            inbox.end(PublisherInbox.Outcome(ending))
        }
        let updates = session.join(as: inbox.member, receive) {
            ReceiverPool.shared.join(source, as: inbox.member, receive)
        }
        return Subscription {
            updates.dispose()
            watch?.dispose()
        }.scoped
    }
}

extension PublishedReceiver {
    private struct State {
        var rows: PublishedRows
        var reporter: ConditionReporter
    }
}
