// SPDX-License-Identifier: MIT
public import Devices
public import FoundationEssentials
public import GNSS

/// A position at one moment, in CoreLocation's terms: a value below zero means "not known".
///
/// The CoreLocation counterpart is `CLLocation`. Everything the receiver sent is in `fix`, where what
/// it did not send is `nil`.
public struct Location: Hashable, Sendable {
    /// Degrees, WGS 84.
    public let coordinate: Coordinate

    /// Metres above mean sea level; meaningless unless `verticalAccuracy` is above 0.
    public let altitude: Double

    private let knownEllipsoidalAltitude: Double?

    /// Metres above the WGS 84 ellipsoid; not a number (`isNaN`) if it is not known.
    ///
    /// CoreLocation has 0 there, which cannot be told from a real one; `fix.ellipsoidalAltitude` is
    /// `nil`.
    public var ellipsoidalAltitude: Double { knownEllipsoidalAltitude ?? .nan }

    /// Radius in metres of the circle that holds the true position with 68 % probability.
    ///
    /// From GST, else GBS, else DOP times an assumed range error; 100 m if the receiver sends none of
    /// them. `fix.accuracy.source` says which.
    public let horizontalAccuracy: Double

    /// Half the width in metres of the interval that holds the true altitude with 68 %
    /// probability; -1 where there is no reliable altitude.
    public let verticalAccuracy: Double

    /// Degrees from true north over ground, 0 up to 360; -1 when standing still or not known.
    public let course: Double

    /// Half the width in degrees of the interval that holds the true course with 68 % probability;
    /// -1 without a course. Follows from `speedAccuracy` and `speed`.
    public let courseAccuracy: Double

    /// Metres per second over ground; -1 if not known.
    public let speed: Double

    /// Metres per second by which `speed` may be off, with 68 % probability; -1 without a speed, or if
    /// nothing is known of the accuracy.
    ///
    /// An estimate, as NMEA has no such field: `horizontalAccuracy`, if the receiver's error statistics
    /// (GST) or its satellites' geometry determine it, divided by 10 s, and at least 0.05 m/s. In eight
    /// recordings of u-blox receivers from 8 to F9, which send both in UBX, the accuracy of the position
    /// is 6 to 21 times that of the speed in the middle of each recording.
    public let speedAccuracy: Double

    /// When the fix was determined, by the receiver's clock; see `isTimestampFromSystemClock`.
    public let timestamp: Date

    /// Whether `timestamp` is when the bytes arrived, since the receiver never sends a date.
    public let isTimestampFromSystemClock: Bool

    /// The origin and the source of the location.
    public internal(set) var sourceInformation: SourceInformation

    /// Everything the receiver sent; what it did not send is `nil`.
    public private(set) var fix: Fix

    /// The satellites in view, from the last complete lists.
    public let satellites: SatelliteView

    /// Which device it was read from: `/dev/ttyACM0`.
    public let device: String

    /// When its bytes arrived; `nil` for a recording, and for a location that was stored.
    public let arrival: EpochArrival?

    /// How long ago its last byte arrived; `nil` for a recording, and for a location that was stored.
    public var age: Duration? { arrival.map { $0.lastByte.duration(to: .now) } }

    /// Creates a location, as of a stored track or for a test.
    ///
    /// What is left out is not known. Unless `sourceInformation` says otherwise it counts as simulated.
    /// Without a `fix`, one is made of the other values.
    public init(
        coordinate: Coordinate, altitude: Double = 0, ellipsoidalAltitude: Double? = nil,
        horizontalAccuracy: Double = unknownHorizontalAccuracy, verticalAccuracy: Double = -1,
        course: Double = -1, courseAccuracy: Double = -1, speed: Double = -1,
        speedAccuracy: Double = -1, timestamp: Date, isTimestampFromSystemClock: Bool = false,
        sourceInformation: SourceInformation = SourceInformation(origin: .simulated),
        fix: Fix? = nil, satellites: SatelliteView = SatelliteView(), device: String = "",
        arrival: EpochArrival? = nil
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        knownEllipsoidalAltitude = ellipsoidalAltitude.flatMap { $0.isNaN ? nil : $0 }
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        self.isTimestampFromSystemClock = isTimestampFromSystemClock
        self.sourceInformation = sourceInformation
        self.satellites = satellites
        self.device = device
        self.arrival = arrival
        self.fix = Fix()
        self.fix = fix ?? impliedFix
    }
}

/// The origin and the source of a location.
///
/// The CoreLocation counterpart is `CLLocationSourceInformation`.
public struct SourceInformation: Hashable, Sendable {
    /// Live, recorded or simulated.
    public let origin: DataOrigin

    /// The source as it was named: `/dev/ttyUSB0`, `serial:A1B2`, `any receiver`. The tty that was
    /// read in fact is the location's `device`.
    public internal(set) var source: String

    /// Whether it was simulated or recorded: it is nobody's position now.
    public var isSimulatedBySoftware: Bool { origin != .live }

    /// Whether it comes from a receiver that is plugged in.
    public var isProducedByAccessory: Bool { origin == .live }

    /// Creates source information.
    public init(origin: DataOrigin, source: String = "") {
        self.origin = origin
        self.source = source
    }
}
