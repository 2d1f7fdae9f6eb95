// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// Determines which rows of a receiver are published.
package struct PublishedRows: Sendable {
    /// The state of the anchor watch; `nil` without one.
    package var anchor: AnchorState?
    private var rate: FixRate
    /// The origin of the last fix.
    private var origin: DataOrigin
    private var odometer = Odometer()
    /// The anchor watch's condition in the last published row.
    private var published: AnchorState.Condition?

    /// Creates the state before the first update. `origin` is the origin of the source.
    package init(rate: FixRate, origin: DataOrigin) {
        (self.rate, self.origin) = (rate, origin)
    }

    /// Returns the row to publish after an update, with its origin; `nil` if nothing is published.
    ///
    /// A change of the anchor watch is always published. If the update contains no fix, the row has
    /// no position. Such a row is also published if the receiver is lost or silent, or if a live
    /// source ends, because its last position must not be shown as the current one.
    package mutating func row(after update: ReceiverUpdate) -> (FixRow, DataOrigin)? {
        let hasNews = anchor?.condition != published
        let fix: Fix
        switch update {
        case .epoch(let epoch):
            fix = epoch.fix
            origin = fix.quality == .simulated ? .simulated : epoch.origin
            // Fixes that are not published also count for the distance travelled.
            odometer.add(fix)
        case .condition(.waiting, _), .condition(.silent, _), .condition(.lost, _): fix = Fix()
        case .condition(.ended, _) where origin.mayBeLive: fix = Fix()
        case .condition, .notice:
            guard hasNews else { return nil }
            fix = Fix()
        case .satellites: return nil
        }
        guard rate.accepts(fix) || hasNews else { return nil }
        published = anchor?.condition
        let row = FixRow(
            fix, received: BridgeClock.now, odometer: odometer.distance, anchor: anchor)
        return (row, origin)
    }
}
