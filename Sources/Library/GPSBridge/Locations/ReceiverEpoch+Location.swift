// SPDX-License-Identifier: MIT
import FoundationEssentials
package import GPSReceivers

extension ReceiverEpoch {
    /// The epoch's location; `nil` without a position, or while the receiver may still send the
    /// date.
    package var location: Location? { isDateSettled ? Location(self) : nil }

    /// The epoch's heading; `nil` if the receiver sends none, or while it may still send the date.
    package var heading: Heading? { isDateSettled ? Heading(self) : nil }

    /// The time of the fix or, without a date, the system's time at its arrival.
    var timestamp: Date { (fix.time ?? received).map { Date($0) } ?? .distantPast }

    /// The origin and the source of the epoch. A live receiver whose fix says that it is simulated
    /// counts as simulated.
    var sourceInformation: SourceInformation {
        let isSimulated = fix.quality == .simulated && origin.mayBeLive
        return SourceInformation(origin: isSimulated ? .simulated : origin, source: device)
    }
}
