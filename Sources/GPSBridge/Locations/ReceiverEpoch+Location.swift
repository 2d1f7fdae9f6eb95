// SPDX-License-Identifier: MIT
import FoundationEssentials
package import GPSReceivers

extension ReceiverEpoch {
    /// The fix in CoreLocation's terms; `nil` without a position, or as long as a date may come.
    package var location: Location? { isDue ? Location(self) : nil }

    /// The heading; `nil` if the receiver reports none, or as long as a date may come.
    package var heading: Heading? { isDue ? Heading(self) : nil }

    /// When the fix was determined, else when it was received.
    var timestamp: Date { (fix.time ?? received).map { Date($0) } ?? .distantPast }

    /// Where it comes from: a receiver that says that it is simulated is.
    var sourceInformation: SourceInformation {
        let isSimulated = fix.quality == .simulated && origin.mayBeLive
        return SourceInformation(origin: isSimulated ? .simulated : origin, source: device)
    }
}
