// SPDX-License-Identifier: MIT
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
    /// A live receiver has completed no epoch for that time, five of its cycles or more; sent once. The next epoch ends
    /// it.
    case silent(seconds: Int)
    /// An epoch is complete.
    case epoch(ReceiverEpoch)
    /// The lists of satellites in view are complete.
    case satellites(SatelliteView)
    /// The source has come to its end, or cannot be opened and never will be.
    // Apart: every update is as large as the largest.
    indirect case ended(Statistics, DeviceError?)
}

extension ReceiverUpdate {
    /// Whether it tells how the receiver is, which those want to know who come later.
    var isCondition: Bool {
        switch self {
        case .opened, .unavailable, .lost, .ended: true
        case .unheard, .listening, .understood, .troubled, .silent, .epoch, .satellites: false
        }
    }

    /// Whether it reports a problem that lasts, which later observers get, too.
    var lasts: Bool {
        switch self {
        case .silent: true
        case .troubled(let error): error.code == .binaryProtocol
        default: false
        }
    }
}
