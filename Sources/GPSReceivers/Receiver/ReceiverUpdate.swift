// SPDX-License-Identifier: MIT
package import GNSS

/// News of a receiver for its consumers.
package enum ReceiverUpdate: Sendable {
    /// The condition has changed. Consumers that join later begin with the present one, after `.searching`.
    case condition(ReceiverCondition, after: ReceiverCondition)
    /// A finding about the line; reading continues.
    case notice(LineNotice)
    /// An epoch is complete.
    case epoch(ReceiverEpoch)
    /// The lists of satellites in view are complete.
    case satellites(SatelliteView)

    /// The device that has just been opened, for the first time or again; `nil` for all other updates.
    package var openedDevice: String? {
        guard case .condition(.open(let device, nil), let former) = self, !former.isOpen else {
            return nil
        }
        return device
    }
}

/// A finding about an open line.
package enum LineNotice: Equatable, Sendable {
    /// Another rate is being tried; sent until all have been, once.
    case trying(LineSettings)
    /// The line is understood at these settings, after others have been tried.
    case understood(LineSettings)
    /// The first seconds after opening brought this number of bytes and no valid sentence; sent once for each opening.
    case unheard(bytes: Int)
    /// Another program reads the same tty, so that each gets only a part; sent once for each opening.
    case shared(DeviceError)
}
