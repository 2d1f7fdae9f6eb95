// SPDX-License-Identifier: MIT
import GNSS

extension ReceiverNotice {
    /// Returns the problem that the notice reports, as a short text for a display that shows the
    /// receiver's name elsewhere; `nil` if there is none. A `ConditionReporter` has the complete
    /// messages.
    package func summary(of source: any DeviceSource) -> String? {
        switch self {
        case .tryingRate(let settings): "listening at \(settings)"
        case .noSentences(bytes: 0): "no data arrives"
        case .noSentences(let bytes):
            "\(Plural.text(bytes, "byte")), but no valid sentence yet"
                + (source.capabilities.contains(.serialLine) ? ": wrong baud rate?" : "")
        case .otherReader(let error): error.map { "\($0)" }
        case .otherDatum(let datum): "datum \(datum), not WGS 84"
        case .rateFound, .replay, .oneDevice, .member, .vote: nil
        }
    }
}

extension ReceiverUpdate {
    /// The reason for the loss of the position, as a short text for the anchor watch; `nil` if the
    /// update does not mean that the position is lost.
    var lossReason: String? {
        switch self {
        case .condition(.waiting, _): "the receiver cannot be opened"
        case .condition(.lost, _): "the receiver is gone"
        case .condition(.silent, _), .notice(.noSentences): "the receiver is silent"
        case .condition(.ended, _): "the input has ended"
        case .condition, .notice, .epoch, .satellites: nil
        }
    }
}
