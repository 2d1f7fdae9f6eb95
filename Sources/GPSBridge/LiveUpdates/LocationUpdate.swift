// SPDX-License-Identifier: MIT
import Delegation
import FoundationEssentials
public import GPSReceivers

/// A location, or why there is none at the moment.
///
/// The CoreLocation counterpart is `CLLocationUpdate`.
public struct LocationUpdate: Hashable, Codable, Sendable {
    /// Metres per second: slower than this for `stationaryTime` is stationary.
    public static let stationarySpeed = 0.5
    /// The time for which the speed must be below `stationarySpeed`.
    public static let stationaryTime = Duration.seconds(10)

    /// The position; `nil` if the update is about something else.
    public let location: Location?

    /// Whether the speed has been below `stationarySpeed` for at least `stationaryTime`.
    public let isStationary: Bool

    /// Whether a location is unavailable for now: there is no fix, no data or no device.
    public let isLocationUnavailable: Bool

    /// Whether the device may not be opened.
    public let isAuthorizationDenied: Bool

    /// Creates an update, as for a test.
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
    /// Locations as they come, for every loop over them: the first loop opens the receiver, and the end
    /// of the last one closes it.
    ///
    /// Every loop sees everything from its start on. It ends with its task, with its iterator, or with
    /// a source that has an end. A recording waits for a loop that is slow; of a live receiver the
    /// newest 256 updates are kept, and `droppedCount` counts the others. The CoreLocation counterpart is `CLLocationUpdate.liveUpdates(_:)`.
    public static func liveUpdates(from source: any DeviceSource) -> LocationUpdates {
        LocationUpdates { LocationManager(source: source) }
    }

    /// Live updates of several receivers; `sourceInformation.source` says which one each is of.
    public static func liveUpdates(from sources: [any DeviceSource]) -> LocationUpdates {
        LocationUpdates { LocationManager(sources: sources) }
    }

    /// Live updates of the first receiver that is plugged in, or will be.
    public static func liveUpdates() -> LocationUpdates {
        liveUpdates(from: .any)
    }
}
