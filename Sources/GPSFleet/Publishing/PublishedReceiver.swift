// SPDX-License-Identifier: MIT
package import Delegation
import GNSS
package import GPSReceivers
import Synchronization

/// A receiver whose fixes are published.
package struct PublishedReceiver: Sendable {
    /// The source of the receiver's data.
    package let source: any DeviceSource
    /// Its name in the fleet.
    package let member: MemberName

    /// Creates a receiver.
    package init(_ source: any DeviceSource, as member: MemberName) {
        self.source = source
        self.member = member
    }

    /// Reads the receiver until the result is released.
    package func publish(
        to inbox: PublisherInbox, at rate: FixRate, pool: ReceiverPool = .shared
    ) -> ScopedSubscription {
        var reporter = ConditionReporter(source, .always)
        reporter.purpose = " as \(member)"
        reporter.isLog = true
        let state = Mutex((rate: rate, odometer: Odometer(), reporter: reporter))
        let member = member
        return pool.join(source, as: inbox.member) { update in
            if case .message(let message) = state.withLock({ $0.reporter.report(update) }) {
                inbox.note(message)
            }
            switch update {
            case .epoch(let epoch):
                let fix = epoch.fix
                // Fixes that are not sent also count for the distance travelled.
                let odometer: Double? = state.withLock { state in
                    state.odometer.add(fix)
                    return state.rate.accepts(fix) ? state.odometer.distance : nil
                }
                guard let odometer else { return }
                inbox.append(
                    PublisherInbox.Incoming(
                        member: member,
                        origin: fix.quality == .simulated ? .simulated : epoch.origin,
                        row: FixRow(fix, received: BridgeClock.now, odometer: odometer)))
            case .condition(.ended, _): inbox.end()
            case .condition, .notice, .satellites: break
            }
        }
    }
}
