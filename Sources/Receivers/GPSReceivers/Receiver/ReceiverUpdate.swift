// SPDX-License-Identifier: MIT
package import GNSS

/// An update that a receiver's session sends to its consumers.
package enum ReceiverUpdate: Sendable {
    /// The condition has changed. A consumer that joins later first receives the current condition,
    /// with `.searching` as the previous one.
    case condition(ReceiverCondition, after: ReceiverCondition)
    /// Information about the source. Reading continues.
    case notice(ReceiverNotice)
    /// An epoch is complete.
    case epoch(ReceiverEpoch)
    /// The lists of the satellites in view have been received completely.
    case satellites(SatelliteView)

    /// The device that has just been opened or reopened; `nil` for all other updates.
    package var openedDevice: String? {
        guard case .condition(.open(let device, nil), let former) = self, !former.isOpen else {
            return nil
        }
        return device
    }
}

/// Information about an open source that does not change its condition.
package enum ReceiverNotice: Equatable, Sendable {
    /// Another baud rate is being tried. Sent only while all rates are tried for the first time.
    case tryingRate(LineSettings)
    /// Messages are received with these settings, after others were tried.
    case rateFound(LineSettings)
    /// No valid sentence was received in the first five seconds after opening. `bytes` is the
    /// number of bytes received in this time. Sent at most once per opening.
    case noSentences(bytes: Int)
    /// Another program reads the same tty, so that each program receives only some of the bytes.
    /// Sent with the error `.otherReader` when this is detected, and with `nil` when it has ended.
    case otherReader(DeviceError?)
    /// The receiver reports that its positions are in this datum, and not in WGS 84. Sent once for
    /// each datum.
    case otherDatum(String)
    /// The server that sends the data states that it is a replay.
    case replay
    /// Several devices of the server have positions, and only this one is read.
    case oneDevice(String)
    /// A message about one of several receivers that a `ConsensusSource` combines.
    case member(String)
    /// The result of the vote of a `ConsensusSource`, after it has changed.
    case vote(Vote)
}
