// SPDX-License-Identifier: MIT
package import GNSS

/// One epoch of a receiver: an object, since it is large and passed on to many.
package final class ReceiverEpoch: Sendable {
    /// The receiver's fix.
    package let fix: Fix
    /// The last complete satellite view.
    package let satellites: SatelliteView
    /// When its bytes arrived; `nil` for a recording.
    package let arrival: EpochArrival?
    /// The device's name.
    package let device: String
    /// Where its bytes come from, as far as that is known by now.
    package let origin: DataOrigin
    /// Whether the receiver will not send a date any more, or has.
    package let isDue: Bool
    /// When it was received; `nil` where the receiver says when that was.
    package let received: UTCTime?

    /// Creates an epoch; the defaults are for one that a program makes.
    package init(
        fix: Fix, satellites: SatelliteView, arrival: EpochArrival?, device: String,
        origin: DataOrigin, isDue: Bool = true, received: UTCTime? = nil
    ) {
        self.fix = fix
        self.satellites = satellites
        self.arrival = arrival
        self.device = device
        self.origin = origin
        self.isDue = isDue
        self.received = received
    }
}
