// SPDX-License-Identifier: MIT
import FoundationEssentials
package import Receivers

extension ReceiverEpoch {
    /// The fix in CoreLocation's terms; `nil` without a position, or as long as a date may come.
    package var location: Location? {
        guard isDue else { return nil }
        return Location(
            fix, satellites: satellites, device: device, origin: origin, received: timestamp,
            arrival: arrival)
    }

    /// The heading; `nil` if the receiver reports none, or as long as a date may come.
    var heading: Heading? {
        guard isDue else { return nil }
        return Heading(fix, device: device, origin: origin, received: timestamp)
    }

    private var timestamp: Date { received.map { Date($0) } ?? .distantPast }
}
