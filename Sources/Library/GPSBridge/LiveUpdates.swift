// SPDX-License-Identifier: MIT
import FoundationEssentials
public import GPSReceivers

/// A location, or the reason why no location is available.
///
/// The CoreLocation counterpart is `CLLocationUpdate`.
public struct LocationUpdate: Hashable, Codable, Sendable {
    /// The location; `nil` if the update reports that there is none.
    public let location: Location?

    /// Whether the receiver is known to be stationary; see ``Location/isStationary``.
    public let isStationary: Bool

    /// Whether locations are unavailable, because the receiver has no fix, sends no data or is
    /// missing.
    public let isLocationUnavailable: Bool

    /// Whether locations are unavailable because the program may not open the receiver.
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
    /// Returns the location updates of a receiver. The receiver is open while a loop reads them.
    ///
    /// Each loop receives all updates from its start on. It ends when its task is cancelled, or when
    /// the source ends or is a file that cannot be opened. A recording waits for a slow loop. For a
    /// live receiver, the newest 256 updates are buffered, and `droppedCount` counts those that were
    /// dropped. The CoreLocation counterpart is `CLLocationUpdate.liveUpdates(_:)`.
    public static func liveUpdates(source: any DeviceSource) -> LocationUpdates {
        LocationUpdates { LocationManager(source: source) }
    }

    /// Returns the location updates of several receivers. Each location's
    /// `sourceInformation.source` identifies its receiver. While one of them has a fix, problems of
    /// the others are not reported.
    public static func liveUpdates(sources: [any DeviceSource]) -> LocationUpdates {
        LocationUpdates { LocationManager(sources: sources) }
    }

    /// Returns the location updates of several receivers. Each loop also calls `didReceive` when a
    /// location arrives, even if the loop reads it later, and `didChangeAuthorization` when its
    /// manager's status changes or a receiver is refused. It makes both calls on the thread that
    /// reads the receivers.
    package static func liveUpdates(
        sources: [any DeviceSource],
        didReceive: @escaping @Sendable (Location) -> Void,
        didChangeAuthorization: @escaping @Sendable (AuthorizationStatus) -> Void
    ) -> LocationUpdates {
        LocationUpdates(
            { LocationManager(sources: sources) }, didReceive: didReceive,
            didChangeAuthorization: didChangeAuthorization)
    }

    /// Returns the location updates of the first receiver that is plugged in now or later.
    public static func liveUpdates() -> LocationUpdates {
        liveUpdates(source: .any)
    }

    /// The same as `liveUpdates(source:)`.
    @available(*, deprecated, renamed: "liveUpdates(source:)")
    public static func liveUpdates(from source: any DeviceSource) -> LocationUpdates {
        liveUpdates(source: source)
    }

    /// The same as `liveUpdates(sources:)`.
    @available(*, deprecated, renamed: "liveUpdates(sources:)")
    public static func liveUpdates(from sources: [any DeviceSource]) -> LocationUpdates {
        liveUpdates(sources: sources)
    }
}

// Documented together.
/// The names of CoreLocation's `CLLocationUpdate`.
extension LocationUpdate {
    /// The same as `isStationary`.
    public var stationary: Bool { isStationary }
    /// The same as `isLocationUnavailable`.
    public var locationUnavailable: Bool { isLocationUnavailable }
    /// The same as `isAuthorizationDenied`.
    public var authorizationDenied: Bool { isAuthorizationDenied }

    /// The same as `Location.liveUpdates(source:)`. Default: the first receiver that is plugged in
    /// now or later.
    public static func liveUpdates(source: any DeviceSource = .any) -> LocationUpdates {
        Location.liveUpdates(source: source)
    }
}
