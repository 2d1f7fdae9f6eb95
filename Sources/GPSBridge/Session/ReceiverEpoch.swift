// SPDX-License-Identifier: MIT
import Devices
import FoundationEssentials
package import GNSS

/// One epoch of a receiver: an object, since it is large and passed on to many.
package final class ReceiverEpoch: Sendable {
    /// What the receiver sent.
    package let fix: Fix
    /// The last complete satellite view.
    package let satellites: SatelliteView
    /// When its bytes arrived; `nil` for a recording.
    package let arrival: EpochArrival?
    private let device: String
    private let origin: DataOrigin
    /// Whether the receiver will not send a date any more, or has.
    private let isDue: Bool
    /// When it was received; `nil` where the receiver says when that was.
    private let received: Date?

    init(
        fix: Fix, satellites: SatelliteView, arrival: EpochArrival?, device: String,
        origin: DataOrigin, isDue: Bool, received: Date?
    ) {
        self.fix = fix
        self.satellites = satellites
        self.arrival = arrival
        self.device = device
        self.origin = origin
        self.isDue = isDue
        self.received = received
    }

    /// The fix in CoreLocation's terms; `nil` without a position, or as long as a date may come.
    package var location: Location? {
        guard isDue else { return nil }
        return Location(
            fix, satellites: satellites, device: device, origin: origin,
            received: received ?? .distantPast, arrival: arrival)
    }

    /// The heading; `nil` if the receiver reports none, or as long as a date may come.
    var heading: Heading? {
        guard isDue else { return nil }
        return Heading(fix, device: device, origin: origin, received: received ?? .distantPast)
    }
}
