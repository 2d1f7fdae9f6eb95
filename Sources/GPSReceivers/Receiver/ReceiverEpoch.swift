// SPDX-License-Identifier: MIT
package import GNSS

/// One epoch of a receiver. A class, since it is large and shared by many consumers.
package final class ReceiverEpoch: Sendable {
    /// The receiver's fix.
    package let fix: Fix
    /// The last complete satellite view.
    package let satellites: SatelliteView
    /// The times at which its bytes arrived; `nil` for a recording.
    package let arrival: EpochArrival?
    /// The device's name.
    package let device: String
    /// The origin of the bytes, as known so far.
    package let origin: DataOrigin
    /// Whether the date is settled: the fix has one, or the receiver sends none.
    package let isDue: Bool
    /// The system's time at reception; `nil` if the receiver sent the time.
    package let received: UTCTime?
    /// Whether the receiver has sent UBX since the device was opened.
    package let sendsUBX: Bool

    /// Creates an epoch; the defaults are for epochs created by a program.
    package init(
        fix: Fix, satellites: SatelliteView, arrival: EpochArrival?, device: String,
        origin: DataOrigin, isDue: Bool = true, received: UTCTime? = nil,
        sendsUBX: Bool = false
    ) {
        self.fix = fix
        self.satellites = satellites
        self.arrival = arrival
        self.device = device
        self.origin = origin
        self.isDue = isDue
        self.received = received
        self.sendsUBX = sendsUBX
    }
}
