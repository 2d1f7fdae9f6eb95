// SPDX-License-Identifier: MIT
package import GNSS

/// An update about a receiver for its consumers.
package enum ReceiverUpdate: Sendable {
    /// The condition has changed. A consumer that joins later first receives the current one, after
    /// `.searching`.
    case condition(ReceiverCondition, after: ReceiverCondition)
    /// Information about the line; reading continues.
    case notice(LineNotice)
    /// An epoch is complete.
    case epoch(ReceiverEpoch)
    /// The lists of satellites in view are complete.
    case satellites(SatelliteView)

    /// The device that has just been opened or reopened; `nil` for all other updates.
    package var openedDevice: String? {
        guard case .condition(.open(let device, nil), let former) = self, !former.isOpen else {
            return nil
        }
        return device
    }
}

/// Information about an open line.
package enum LineNotice: Equatable, Sendable {
    /// Another rate is being tried; sent in the first round only.
    case tryingRate(LineSettings)
    /// Messages are received at these settings, after others have been tried.
    case rateFound(LineSettings)
    /// No valid sentence in the first seconds after opening, but this number of bytes; sent once
    /// per opening.
    case noSentences(bytes: Int)
    /// Another program reads the same tty, so that each gets only part of the bytes; sent once per
    /// opening.
    case otherReader(DeviceError)
    /// A message about one of several receivers that are read as one.
    case member(String)
}
