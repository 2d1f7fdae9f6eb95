// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
public import GPSReceivers

/// A position with its time, in CoreLocation's terms: a negative accuracy, speed or course is
/// unknown.
///
/// The CoreLocation counterpart is `CLLocation`. `fix` has everything that the receiver sent, with
/// `nil` for missing values.
public struct Location: Hashable, Sendable {
    private let storage: Storage

    /// Degrees, WGS 84.
    public var coordinate: Coordinate { storage.values.coordinate }

    /// Metres above mean sea level; unknown unless `verticalAccuracy` is positive.
    public var altitude: Double { storage.values.altitude }

    /// Metres above the WGS 84 ellipsoid; not a number (`isNaN`) if unknown.
    ///
    /// CoreLocation uses 0, which looks like a real altitude; `fix.ellipsoidalAltitude` is `nil`.
    public var ellipsoidalAltitude: Double { storage.values.ellipsoidalAltitude ?? .nan }

    /// The radius in metres of the circle that contains the true position with 68 % probability.
    ///
    /// From GST, else from GBS, else DOP times an assumed range error; 100 m if the receiver sends
    /// none of them. `fix.accuracy.source` has the source.
    public var horizontalAccuracy: Double { storage.values.horizontalAccuracy }

    /// Half the width in metres of the interval that contains the true altitude with 68 %
    /// probability; -1 if the altitude is unknown or unreliable.
    public var verticalAccuracy: Double { storage.values.verticalAccuracy }

    /// Degrees from true north over ground, 0 up to 360; -1 when stationary or unknown.
    public var course: Double { storage.values.course }

    /// Half the width in degrees of the interval that contains the true course with 68 %
    /// probability; -1 without a course. Calculated from `speedAccuracy` and `speed`.
    public var courseAccuracy: Double { storage.values.courseAccuracy }

    /// Metres per second over ground; -1 if unknown.
    public var speed: Double { storage.values.speed }

    /// The error of `speed` in metres per second, with 68 % probability; -1 without a speed, or if
    /// the accuracy is unknown.
    ///
    /// NMEA has no such field, so this is an estimate: `horizontalAccuracy` divided by 10 s, and at
    /// least 0.05 m/s, if the receiver's error statistics (GST) or DOP determine
    /// `horizontalAccuracy`. In eight recordings of u-blox receivers from 8 to F9, which send both
    /// accuracies in UBX, the median ratio of position accuracy to speed accuracy is 6 s to 21 s.
    public var speedAccuracy: Double { storage.values.speedAccuracy }

    /// The time of the fix by the receiver's clock; see `isTimestampFromSystemClock`.
    public var timestamp: Date { storage.values.timestamp }

    /// Whether `timestamp` is the arrival time of the bytes, since the receiver sends no date.
    public var isTimestampFromSystemClock: Bool { storage.values.isTimestampFromSystemClock }

    /// The origin and the source of the location.
    public internal(set) var sourceInformation: SourceInformation

    /// Everything that the receiver sent; missing values are `nil`.
    public var fix: Fix { storage.epoch.fix }

    /// Whether the position can be trusted, and the evidence against it; `unknown` for a stored
    /// location that was not examined. A position is never hidden or moved because of it.
    public var integrity: Integrity { fix.integrity ?? Integrity() }

    /// Whether the receiver is stationary; `nil` if that is unknown, as for the first five seconds, or for a
    /// stored location.
    ///
    /// For a receiver that sends speeds: `true` after five seconds with a mean speed below 0.3 m/s near one
    /// place, `false` after two fixes above 0.5 m/s or away from that place. Motion slower than about 0.3 m/s
    /// can't be distinguished from the error of a position. The page `docs/converting.md` has all criteria.
    public var isStationary: Bool? { fix.isStationary }

    /// The satellites in view, from the last complete GSV lists.
    public var satellites: SatelliteView { storage.epoch.satellites }

    /// The device that it was read from: `/dev/ttyACM0`.
    public var device: String { storage.epoch.device }

    /// The arrival times of its bytes; `nil` for a recording or a stored location.
    public var arrival: EpochArrival? { storage.epoch.arrival }

    /// The time since its last byte arrived; `nil` for a recording or a stored location.
    public var age: Duration? { arrival.map { $0.lastByte.duration(to: .now) } }

    /// Creates a location, for example from a stored track or for a test.
    ///
    /// Values that are left out are unknown. By default the location counts as simulated. Without a
    /// `fix`, one is created from the other values.
    public init(
        coordinate: Coordinate, altitude: Double = 0, ellipsoidalAltitude: Double? = nil,
        horizontalAccuracy: Double = unknownHorizontalAccuracy, verticalAccuracy: Double = -1,
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

    /// Creates the location of an epoch.
    init(_ epoch: ReceiverEpoch, _ values: Values, _ sourceInformation: SourceInformation) {
        storage = Storage(values, epoch)
        self.sourceInformation = sourceInformation
    }

    /// A fix that corresponds to this location, as far as its values are known.
    var impliedFix: Fix { storage.values.impliedFix(sourceInformation.origin) }

    /// The values in CoreLocation's terms.
    struct Values: Hashable, Sendable {
        let coordinate: Coordinate
        let altitude: Double
        let ellipsoidalAltitude: Double?
        let horizontalAccuracy: Double
        let verticalAccuracy: Double
        let course: Double
        let courseAccuracy: Double
        let speed: Double
        let speedAccuracy: Double
        let timestamp: Date
        let isTimestampFromSystemClock: Bool
    }

    /// The shared storage, since the values are large and a location is copied often.
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

/// The origin and the source of a location.
///
/// The CoreLocation counterpart is `CLLocationSourceInformation`.
public struct SourceInformation: Hashable, Sendable {
    /// Live, recorded or simulated; unknown if a pipe's data has no date to determine it.
    public let origin: DataOrigin

    /// The source as it was named: `/dev/ttyUSB0`, `serial:A1B2`, `any receiver`. The location's
    /// `device` has the tty that was read.
    public internal(set) var source: String

    /// Whether the location was simulated or replayed from a recording, and so is not a current
    /// position.
    public var isSimulatedBySoftware: Bool { origin == .replay || origin == .simulated }

    /// Whether the location comes from a live receiver.
    public var isProducedByAccessory: Bool { origin == .live }

    /// Creates source information.
    public init(origin: DataOrigin, source: String = "") {
        self.origin = origin
        self.source = source
    }
}
