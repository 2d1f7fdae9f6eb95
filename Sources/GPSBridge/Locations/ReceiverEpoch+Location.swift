// SPDX-License-Identifier: MIT
import FoundationEssentials
package import GPSReceivers

extension ReceiverEpoch {
    /// The fix in CoreLocation's terms; `nil` without a position, or while its date may still be
    /// received.
    package var location: Location? { isDue ? Location(self) : nil }

    /// The heading; `nil` if the receiver reports none, or while the date may still be received.
    package var heading: Heading? { isDue ? Heading(self) : nil }

    /// The time of the fix, or else of its arrival.
    var timestamp: Date { (fix.time ?? received).map { Date($0) } ?? .distantPast }

    /// The origin and the source. A receiver that reports simulated data counts as simulated.
    var sourceInformation: SourceInformation {
        let isSimulated = fix.quality == .simulated && origin.mayBeLive
        return SourceInformation(origin: isSimulated ? .simulated : origin, source: device)
    }
}
