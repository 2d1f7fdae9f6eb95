// SPDX-License-Identifier: MIT
package import GNSS

/// One epoch of a receiver. It is a class because it is large, and many consumers share it.
package final class ReceiverEpoch: Sendable {
    /// The receiver's fix.
    package let fix: Fix
    /// The last complete satellite view.
    package let satellites: SatelliteView
    /// The arrival times of the epoch's bytes; `nil` for a recording.
    package let arrival: EpochArrival?
    /// The device's name.
    package let device: String
    /// The origin of the bytes; `.unknown` if it has not been determined yet.
    package let origin: DataOrigin
    /// Whether the epoch's date is final: the fix has a date, or the receiver apparently never
    /// sends one.
    package let isDateSettled: Bool
    /// The system's time when the epoch was received; `nil` if the fix has a time itself.
    package let received: UTCTime?
    /// Whether the receiver has sent UBX since the device was opened.
    package let sendsUBX: Bool

    /// Creates an epoch. The default values are for epochs that are not received but created by a
    /// program.
    package init(
        fix: Fix, satellites: SatelliteView, arrival: EpochArrival?, device: String,
        origin: DataOrigin, isDateSettled: Bool = true, received: UTCTime? = nil,
        sendsUBX: Bool = false
    ) {
        self.fix = fix
        self.satellites = satellites
        self.arrival = arrival
        self.device = device
        self.origin = origin
        self.isDateSettled = isDateSettled
        self.received = received
        self.sendsUBX = sendsUBX
    }

    /// Returns a copy of the epoch with another fix.
    func with(_ fix: Fix) -> ReceiverEpoch {
        ReceiverEpoch(
            fix: fix, satellites: satellites, arrival: arrival, device: device, origin: origin,
            isDateSettled: isDateSettled, received: received, sendsUBX: sendsUBX)
    }
}
