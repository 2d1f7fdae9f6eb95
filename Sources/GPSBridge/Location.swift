// SPDX-License-Identifier: MIT
public import Devices
public import FoundationEssentials
public import GNSS

/// Where the receiver was, in CoreLocation's terms: a value below zero means "not known".
///
/// The CoreLocation counterpart is `CLLocation`. What the receiver said in full, with what it did
/// not say left out, is in `fix`.
public struct Location: Hashable, Sendable {
    /// Degrees, WGS 84.
    public let coordinate: Coordinate

    /// Metres above mean sea level; meaningless unless `verticalAccuracy` is above 0.
    public let altitude: Double

    /// Metres above the WGS 84 ellipsoid; 0 where the receiver does not tell it.
    public let ellipsoidalAltitude: Double

    /// Radius in metres of the circle that holds the true position with 68 % probability.
    ///
    /// From GST, else GBS, else DOP times an assumed range error; 100 m where the receiver tells
    /// nothing at all. `fix.accuracy.source` says which.
    public let horizontalAccuracy: Double

    /// Half the width in metres of the interval that holds the true altitude with 68 %
    /// probability; -1 where there is no reliable altitude.
    public let verticalAccuracy: Double

    /// Degrees from true north over ground, 0 up to 360; -1 when standing still or not told.
    public let course: Double

    /// Degrees; always -1, since NMEA has no such thing.
    public let courseAccuracy: Double

    /// Metres per second over ground; -1 if not told.
    public let speed: Double

    /// Metres per second; always -1, since NMEA has no such thing.
    public let speedAccuracy: Double

    /// When the fix was determined, by the receiver's clock; see `isTimestampFromSystemClock`.
    public let timestamp: Date

    /// The receiver sends times of day but never a date: `timestamp` is when its bytes arrived.
    public let isTimestampFromSystemClock: Bool

    /// Where the location comes from.
    public internal(set) var sourceInformation: SourceInformation

    /// Everything the receiver said, with what it did not say left out.
    public let fix: Fix

    /// The satellites in view, from the last complete lists.
    public let satellites: SatelliteView

    /// Which device it was read from: `/dev/ttyACM0`.
    public let device: String
}

/// Where a location comes from.
///
/// The CoreLocation counterpart is `CLLocationSourceInformation`.
public struct SourceInformation: Hashable, Sendable {
    /// Live, recorded or invented.
    public let origin: DataOrigin

    /// The source as it was named: `/dev/ttyUSB0`, `serial:A1B2`, `any receiver`. The tty that was
    /// read in fact is the location's `device`.
    public internal(set) var source: String

    /// It was invented or recorded: it says nothing of where anybody is now.
    public var isSimulatedBySoftware: Bool { origin != .live }

    /// It comes from a receiver that is plugged in.
    public var isProducedByAccessory: Bool { origin == .live }

    /// Makes source information.
    public init(origin: DataOrigin, source: String = "") {
        self.origin = origin
        self.source = source
    }
}
