// SPDX-License-Identifier: MIT
import Delegation
public import Devices
import FoundationEssentials

/// What is known at one moment: a location, or why there is none.
///
/// The CoreLocation counterpart is `CLLocationUpdate`.
public struct LocationUpdate: Hashable, Sendable {
    /// Slower than this, in metres per second, for `stationaryTime` is standing still.
    public static let stationarySpeed = 0.5
    /// How long one has been that slow.
    public static let stationaryTime = Duration.seconds(10)

    /// Where the receiver is; `nil` where the update tells of something else.
    public let location: Location?

    /// Slower than `stationarySpeed` for at least `stationaryTime`.
    public let isStationary: Bool

    /// There is no location for the time being: no fix, no data, or no device.
    public let isLocationUnavailable: Bool

    /// The device may not be opened.
    public let isAuthorizationDenied: Bool
}

extension Location {
    /// Locations as they come, for anybody who iterates: the receiver is opened by the first
    /// iteration and closed by the last one's end.
    ///
    /// Every iteration sees everything from its start on. It ends with its task, with its last
    /// reference, or with a source that has an end. Of a consumer that is too slow the newest 256
    /// updates are kept. The CoreLocation counterpart is `CLLocationUpdate.liveUpdates(_:)`.
    public static func liveUpdates(from source: some DeviceSource) -> LocationUpdates {
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
