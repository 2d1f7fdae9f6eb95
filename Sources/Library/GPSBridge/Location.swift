// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
public import GPSReceivers

/// A position and its time in CoreLocation's conventions: a negative accuracy, speed or course
/// means that the value is unknown.
///
/// `fix` contains everything that the receiver sent, with `nil` for missing values. The
/// CoreLocation counterpart is `CLLocation`.
public struct Location: Hashable, Sendable {
    private let storage: Storage

    /// The latitude and longitude in degrees (WGS 84).
    public var coordinate: Coordinate { storage.values.coordinate }

    /// The altitude in metres above mean sea level. It is valid only if `verticalAccuracy` is
    /// positive.
    public var altitude: Double { storage.values.altitude }

    /// The altitude in metres above the WGS 84 ellipsoid; NaN if unknown.
    ///
    /// CoreLocation uses 0 for an unknown altitude, which looks like a real one.
    /// `fix.ellipsoidalAltitude` is `nil` instead of NaN.
    public var ellipsoidalAltitude: Double { storage.values.ellipsoidalAltitude ?? .nan }

    /// The radius in metres of the circle that contains the true position with 68 % probability.
    ///
    /// It is the accuracy that the receiver sends in UBX, GST or GBS. Otherwise, it is the DOP
    /// multiplied by an assumed range error or, without a DOP, 100 m. `fix.accuracy.source`
    /// identifies the source.
    public var horizontalAccuracy: Double {
        storage.values.horizontalAccuracy ?? Self.unknownHorizontalAccuracy
    }

    /// Half the width in metres of the interval that contains the true altitude with 68 %
    /// probability; -1 if the altitude is unknown or unreliable.
    public var verticalAccuracy: Double { storage.values.verticalAccuracy }

    /// The course over ground in degrees from true north, 0 up to 360; -1 when stationary or
    /// unknown.
    public var course: Double { storage.values.course }

    /// Half the width of the interval that contains the true course with 68 % probability, in
    /// degrees; -1 if unknown. If the receiver does not send it in UBX, it is calculated from
    /// `speedAccuracy` and `speed`.
    public var courseAccuracy: Double { storage.values.courseAccuracy }

    /// The speed over ground in metres per second; -1 if unknown.
    public var speed: Double { storage.values.speed }

    /// The 68 % accuracy of `speed` in metres per second; -1 without a speed, or if the accuracy is
    /// unknown.
    ///
    /// A receiver sends it only in UBX. Otherwise, it is estimated as `horizontalAccuracy` divided
    /// by 10 s, and at least 0.05 m/s; it is unknown if `horizontalAccuracy` is. In eight
    /// recordings of u-blox receivers from 8 to F9, which send both accuracies, the median ratio of
    /// position accuracy to speed accuracy is 6 s to 21 s.
    public var speedAccuracy: Double { storage.values.speedAccuracy }

    /// The time of the fix according to the receiver's clock; see `isTimestampFromSystemClock`.
    public var timestamp: Date { storage.values.timestamp }

    /// Whether `timestamp` is the system's time when the bytes arrived, because the receiver does
    /// not send a date.
    public var isTimestampFromSystemClock: Bool { storage.values.isTimestampFromSystemClock }

    /// Whether the location is live, recorded or simulated, and the name of its source.
    public internal(set) var sourceInformation: SourceInformation

    /// Everything that the receiver sent; missing values are `nil`.
    public var fix: Fix { storage.epoch.fix }

    /// Whether the position can be trusted, and the evidence against it. The state is `unknown` for
    /// a location that was not tested, such as a stored one. A position is never hidden or changed
    /// because of its integrity.
    public var integrity: Integrity { fix.integrity ?? Integrity() }

    /// Whether the receiver is stationary; `nil` if that is unknown, for example in the first five
    /// seconds or for a stored location.
    ///
    /// If the receiver sends speeds, it is `true` after five seconds near one place with a mean
    /// speed below 0.3 m/s, and `false` after two fixes that are faster than 0.5 m/s or away from
    /// that place. Slower motion than about 0.3 m/s can't be distinguished from position errors.
    /// The page `docs/converting.md` lists all criteria.
    public var isStationary: Bool? { fix.isStationary }

    /// The satellites in view, from the last complete lists of GSV sentences or UBX messages.
    public var satellites: SatelliteView { storage.epoch.satellites }

    /// The device from which the location was read, such as `/dev/ttyACM0`.
    public var device: String { storage.epoch.device }

    /// The arrival times of the location's bytes; `nil` for a recording or a stored location.
    public var arrival: EpochArrival? { storage.epoch.arrival }

    /// The time since the location's last byte arrived; `nil` for a recording or a stored location.
    public var age: Duration? { arrival.map { $0.lastByte.duration(to: .now) } }

    /// Creates a location, for example from a stored track or for a test.
    ///
    /// Omitted values are unknown. By default, the location counts as simulated. Without a `fix`, a
    /// fix is created from the known values.
    public init(
        coordinate: Coordinate, altitude: Double = 0, ellipsoidalAltitude: Double? = nil,
        horizontalAccuracy: Double? = nil, verticalAccuracy: Double = -1,
        course: Double = -1, courseAccuracy: Double = -1, speed: Double = -1,
        speedAccuracy: Double = -1, timestamp: Date, isTimestampFromSystemClock: Bool = false,
        sourceInformation: SourceInformation = SourceInformation(origin: .simulated),
        fix: Fix? = nil, satellites: SatelliteView = SatelliteView(), device: String = "",
        arrival: EpochArrival? = nil
    ) {
        let values = Values(
            coordinate: coordinate, altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude.flatMap { $0.isNaN ? nil : $0 },
            horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy,
            course: course, courseAccuracy: courseAccuracy, speed: speed,
            speedAccuracy: speedAccuracy, timestamp: timestamp,
            isTimestampFromSystemClock: isTimestampFromSystemClock)
        let epoch = ReceiverEpoch(
            fix: fix ?? values.impliedFix(sourceInformation.origin), satellites: satellites,
            arrival: arrival, device: device, origin: sourceInformation.origin)
        self.init(epoch, values, sourceInformation)
    }

    /// Creates the location of an epoch, whose values have already been converted.
    init(_ epoch: ReceiverEpoch, _ values: Values, _ sourceInformation: SourceInformation) {
        storage = Storage(values, epoch)
        self.sourceInformation = sourceInformation
    }

    /// Returns the distance to another location in metres along the WGS 84 ellipsoid, ignoring
    /// altitudes.
    ///
    /// The CoreLocation counterpart is `CLLocation.distance(from:)`.
    public func distance(from other: Location) -> Double {
        coordinate.distance(from: other.coordinate)
    }

    /// The `horizontalAccuracy`; `nil` if it is unknown.
    var knownHorizontalAccuracy: Double? { storage.values.horizontalAccuracy }

    /// The fix that contains this location's known values.
    var impliedFix: Fix { storage.values.impliedFix(sourceInformation.origin) }

    /// The values in CoreLocation's conventions.
    struct Values: Hashable, Sendable {
        let coordinate: Coordinate
        let altitude: Double
        let ellipsoidalAltitude: Double?
        let horizontalAccuracy: Double?
        let verticalAccuracy: Double
        let course: Double
        let courseAccuracy: Double
        let speed: Double
        let speedAccuracy: Double
        let timestamp: Date
        let isTimestampFromSystemClock: Bool
    }

    /// The storage that copies of a location share, because the values are large and copied often.
    private final class Storage: Hashable, Sendable {
        let values: Values
        let epoch: ReceiverEpoch

        init(_ values: Values, _ epoch: ReceiverEpoch) {
            self.values = values
            self.epoch = epoch
        }

        static func == (one: Storage, other: Storage) -> Bool {
            one === other
                || one.values == other.values && one.epoch.fix == other.epoch.fix
                    && one.epoch.satellites == other.epoch.satellites
                    && one.epoch.device == other.epoch.device
                    && one.epoch.arrival == other.epoch.arrival
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(values)
        }
    }
}

extension Location: CustomReflectable {
    /// Every property, including the fix and the satellites.
    public var customMirror: Mirror {
        let others: [Mirror.Child] = [
            ("sourceInformation", sourceInformation), ("fix", fix), ("satellites", satellites),
            ("device", device), ("arrival", arrival as Any),
        ]
        let values = Mirror(reflecting: storage.values).children
        return Mirror(self, children: Array(values) + others, displayStyle: .struct)
    }
}

/// The origin of a location (live, recorded or simulated) and the name of its source.
///
/// The CoreLocation counterpart is `CLLocationSourceInformation`.
public struct SourceInformation: Hashable, Sendable {
    /// Whether the location is live, recorded or simulated. It is `unknown` for a pipe whose data
    /// has no date.
    public let origin: DataOrigin

    /// The name of the source, such as `/dev/ttyUSB0`, `serial:A1B2` or `any receiver`. The
    /// location's `device` is the tty that was read.
    public internal(set) var source: String

    /// Whether the location was simulated or replayed from a recording, so that it is not the
    /// receiver's current position.
    public var isSimulatedBySoftware: Bool { origin == .replay || origin == .simulated }

    /// Whether the location comes from a live receiver.
    public var isProducedByAccessory: Bool { origin == .live }

    /// Creates source information.
    public init(origin: DataOrigin, source: String = "") {
        self.origin = origin
        self.source = source
    }
}
