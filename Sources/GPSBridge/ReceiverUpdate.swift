// SPDX-License-Identifier: MIT
package import Devices
import FoundationEssentials
package import GNSS
package import NMEA

/// What a receiver session has to tell.
package enum ReceiverUpdate: Sendable {
    /// The device with this name is open, for the first time or again.
    case opened(device: String)
    /// The device cannot be opened for now; told once per cause.
    case unavailable(DeviceError)
    /// The device is gone; the session waits for it.
    case lost(DeviceError)
    /// Live, but not one valid sentence in the first seconds after opening, only so many bytes;
    /// told once per opening.
    case unheard(bytes: Int)
    /// It is listened for sense at these settings, after others have been tried in vain; told in the first
    /// round only.
    case listening(LineSettings)
    /// The line has been understood at these settings, after others had been tried in vain.
    case understood(LineSettings)
    /// What comes makes no sense any more, or is too much; reading goes on.
    case troubled(DeviceError)
    /// An epoch is complete.
    case epoch(ReceiverEpoch)
    /// The lists of satellites in view are complete.
    case satellites(SatelliteView)
    /// The source has come to its end, or cannot be opened and never will be.
    case ended(Statistics, DeviceError?)
}

extension ReceiverUpdate {
    /// Whether it tells how the receiver is, which those want to know who come later.
    var isCondition: Bool {
        switch self {
        case .opened, .unavailable, .lost, .ended: true
        case .unheard, .listening, .understood, .troubled, .epoch, .satellites: false
        }
    }
}

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
