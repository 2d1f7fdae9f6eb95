// SPDX-License-Identifier: MIT
package import Delegation
import GNSS
package import GPSReceivers
import Synchronization

/// A receiver whose fixes go into an inbox.
package struct PublishedReceiver: Sendable {
    /// Where the receiver is.
    package let source: any DeviceSource
    /// Its name in the fleet.
    package let member: MemberName

    /// Creates a receiver.
    package init(_ source: any DeviceSource, as member: MemberName) {
        self.source = source
        self.member = member
    }

    /// Reads the receiver as long as the result is kept.
    package func publish(
        to inbox: PublisherInbox, at rate: FixRate, pool: ReceiverPool = .shared
    ) -> ScopedSubscription {
        let state = Mutex((rate: rate, odometer: Odometer()))
        let member = member
        let name = source.name
        return pool.join(source, as: inbox.member) { update in
            switch update {
            case .epoch(let epoch):
                let fix = epoch.fix
                // Also of the fixes that are not sent.
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
            case .opened(let device): inbox.note("reading \(device) as \(member)")
            case .lost(let error): inbox.note("\(name) is gone: \(error)")
            case .unavailable(let error): inbox.note("waiting: \(error)")
            case .troubled(let error): inbox.note("\(error)")
            case .unheard(let bytes):
                inbox.note("\(bytes) bytes from \(name), but no valid sentence yet")
            case .silent(let seconds): inbox.note("nothing has come from \(name) for \(seconds) s")
            case .ended(_, let error):
                inbox.note(error.map { "\($0)" } ?? "\(name) has come to its end")
                inbox.end()
            case .satellites, .listening, .understood: break
            }
        }
    }
}
