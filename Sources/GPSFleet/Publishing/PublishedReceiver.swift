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

    /// Reads the receiver and appends its fixes, its messages and its end to an inbox, until the
    /// result is released.
    package func publish(
        to inbox: PublisherInbox, at rate: FixRate, pool: ReceiverPool = .shared
    ) -> ScopedSubscription {
        var reporter = ConditionReporter(source, .always)
        reporter.purpose = " as \(member)"
        reporter.isLog = true
        let state = Mutex(State(rate: rate, reporter: reporter, origin: source.origin))
        let (member, source) = (member, source)
        let session = pool.session(for: source)
        // A change of the anchor watch is reported before the update that caused it, so the row for
        // that update already contains it.
        let watch = session.navigation?.changes.observe { navigation in
            state.withLock { $0.anchor = navigation.anchor }
            for text in navigation.messages { inbox.note("\(member): \(text)") }
        }.scoped
        let receive: @Sendable (ReceiverUpdate) -> Void = { update in
            if case .message(let message) = state.withLock({ $0.reporter.report(update) }) {
                inbox.note(message, update.level)
            }
            if let (row, origin) = state.withLock({ $0.row(after: update) }) {
                inbox.append(PublisherInbox.Incoming(member: member, origin: origin, row: row))
            }
            if case .condition(.ended, _) = update { inbox.end() }
        }
        let updates = session.join(as: inbox.member, receive) {
            pool.join(source, as: inbox.member, receive)
        }
        return Subscription {
            updates.dispose()
            watch?.dispose()
        }.scoped
    }
}

extension PublishedReceiver {
    /// The state that determines which of a receiver's fixes are published.
    private struct State {
        var rate: FixRate
        var reporter: ConditionReporter
        /// The origin of the last fix.
        var origin: DataOrigin
        /// The state of the anchor watch; `nil` without one.
        var anchor: AnchorState?
        private var odometer = Odometer()
        /// The anchor watch's condition in the last published row.
        private var published: AnchorState.Condition?

        init(rate: FixRate, reporter: ConditionReporter, origin: DataOrigin) {
            (self.rate, self.reporter, self.origin) = (rate, reporter, origin)
        }

        /// Returns the row to publish after an update, with its origin; `nil` if nothing is
        /// published. A change of the anchor watch is always published. If the update contains no
        /// fix, the row has no position.
        mutating func row(after update: ReceiverUpdate) -> (FixRow, DataOrigin)? {
            let hasNews = anchor?.condition != published
            let fix: Fix
            switch update {
            case .epoch(let epoch):
                fix = epoch.fix
                origin = fix.quality == .simulated ? .simulated : epoch.origin
            case .condition, .notice:
                guard hasNews else { return nil }
                fix = Fix()
            case .satellites: return nil
            }
            // Fixes that are not published also count for the distance travelled.
            odometer.add(fix)
            guard rate.accepts(fix) || hasNews else { return nil }
            published = anchor?.condition
            let row = FixRow(
                fix, received: BridgeClock.now, odometer: odometer.distance, anchor: anchor)
            return (row, origin)
        }
    }
}
