// SPDX-License-Identifier: MIT
import Delegation
import FoundationEssentials
public import GPSReceivers

/// A location, or the reason why there is none at the moment.
///
/// The CoreLocation counterpart is `CLLocationUpdate`.
public struct LocationUpdate: Hashable, Codable, Sendable {
    /// The position; `nil` if the update is about something else.
    public let location: Location?

    /// Whether the receiver is known to be stationary; see ``Location/isStationary``.
    public let isStationary: Bool

    /// Whether a location is unavailable for now because there is no fix, no data or no device.
    public let isLocationUnavailable: Bool

    /// Whether the program may not open the device.
    public let isAuthorizationDenied: Bool

    /// Creates an update, for example for a test.
    public init(
        location: Location?, isStationary: Bool = false, isLocationUnavailable: Bool = false,
        isAuthorizationDenied: Bool = false
    ) {
        self.location = location
        self.isStationary = isStationary
        self.isLocationUnavailable = isLocationUnavailable
        self.isAuthorizationDenied = isAuthorizationDenied
    }
}

extension Location {
    /// Returns the location updates of a receiver. The first loop over them opens the receiver, and
    /// the end of the last loop closes it.
    ///
    /// Every loop receives all updates from its start on. It ends when its task is cancelled, its
    /// iterator is released or the source ends. A recording waits for a slow loop; for a live
    /// receiver, the newest 256 updates are kept, and `droppedCount` counts the others. The
    /// CoreLocation counterpart is `CLLocationUpdate.liveUpdates(_:)`.
    public static func liveUpdates(from source: any DeviceSource) -> LocationUpdates {
        LocationUpdates { LocationManager(source: source) }
    }

    /// Returns the updates of several receivers; `sourceInformation.source` names the receiver of
    /// each.
    public static func liveUpdates(from sources: [any DeviceSource]) -> LocationUpdates {
        LocationUpdates { LocationManager(sources: sources) }
    }

    /// Returns the updates of the first receiver that is plugged in, now or later.
    public static func liveUpdates() -> LocationUpdates {
        liveUpdates(from: .any)
    }
}
