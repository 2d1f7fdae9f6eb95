// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
public import GPSReceivers

/// A position at one moment, in CoreLocation's terms: a value below zero means "not known".
///
/// The CoreLocation counterpart is `CLLocation`. Everything the receiver sent is in `fix`, where what
/// it did not send is `nil`.
public struct Location: Hashable, Sendable {
    private let storage: Storage

    /// Degrees, WGS 84.
    public var coordinate: Coordinate { storage.values.coordinate }

    /// Metres above mean sea level; meaningless unless `verticalAccuracy` is above 0.
    public var altitude: Double { storage.values.altitude }

    /// Metres above the WGS 84 ellipsoid; not a number (`isNaN`) if it is not known.
    ///
    /// CoreLocation has 0 there, which looks like a real altitude; `fix.ellipsoidalAltitude` is `nil`.
    public var ellipsoidalAltitude: Double { storage.values.ellipsoidalAltitude ?? .nan }

    /// Radius in metres of the circle that holds the true position with 68 % probability.
    ///
    /// From GST or UBX, else GBS, else DOP times an assumed range error; 100 m if the receiver sends none of
    /// them. `fix.accuracy.source` says which.
    public var horizontalAccuracy: Double { storage.values.horizontalAccuracy }

    /// Half the width in metres of the interval that holds the true altitude with 68 %
    /// probability; -1 where the altitude is unknown or unreliable.
    public var verticalAccuracy: Double { storage.values.verticalAccuracy }

    /// Degrees from true north over ground, 0 up to 360; -1 when standing still or not known.
    public var course: Double { storage.values.course }

    /// Half the width in degrees of the interval that holds the true course with 68 % probability;
    /// -1 without a course. The receiver's own in UBX; otherwise it follows from `speedAccuracy` and
    /// `speed`.
    public var courseAccuracy: Double { storage.values.courseAccuracy }

    /// Metres per second over ground; -1 if not known.
    public var speed: Double { storage.values.speed }

    /// Metres per second by which `speed` may be off, with 68 % probability; -1 without a speed, or if
    /// nothing is known of the accuracy.
    ///
    /// The receiver's own in UBX. Otherwise an estimate, as NMEA has no such field: `horizontalAccuracy`, if the receiver's error statistics
    /// (GST) or its satellites' geometry determine it, divided by 10 s, and at least 0.05 m/s. In eight
    /// recordings of u-blox receivers from 8 to F9, which send both in UBX, the accuracy of the position
    /// is 6 to 21 times that of the speed in the middle of each recording.
    public var speedAccuracy: Double { storage.values.speedAccuracy }

    /// When the fix was determined, by the receiver's clock; see `isTimestampFromSystemClock`.
    public var timestamp: Date { storage.values.timestamp }

    /// Whether `timestamp` is when the bytes arrived, since the receiver never sends a date.
    public var isTimestampFromSystemClock: Bool { storage.values.isTimestampFromSystemClock }

    /// The origin and the source of the location.
    public internal(set) var sourceInformation: SourceInformation

    /// Everything the receiver sent; what it did not send is `nil`.
    public var fix: Fix { storage.epoch.fix }

    /// The satellites in view, from the last complete lists.
    public var satellites: SatelliteView { storage.epoch.satellites }

    /// The device that it was read from: `/dev/ttyACM0`.
    public var device: String { storage.epoch.device }

    /// When its bytes arrived; `nil` for a recording, and for a location that was stored.
    public var arrival: EpochArrival? { storage.epoch.arrival }

    /// The time since its last byte arrived; `nil` for a recording, and for a location that was stored.
    public var age: Duration? { arrival.map { $0.lastByte.duration(to: .now) } }

    /// Creates a location, as of a stored track or for a test.
    ///
    /// Values that are left out are unknown. Unless `sourceInformation` says otherwise, the location counts
    /// as simulated. Without a `fix`, one is made of the other values.
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

    /// The fix that would have given this location, as far as that is known.
    var impliedFix: Fix { storage.values.impliedFix(sourceInformation.origin) }

    /// The values that follow from a fix.
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

    /// Everything is large, and a location is passed on to many.
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
    /// Every property, the fix and the satellites included.
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
    /// Live, recorded or simulated; unknown where a pipe's data has no date by which it could be known.
    public let origin: DataOrigin

    /// The source as it was named: `/dev/ttyUSB0`, `serial:A1B2`, `any receiver`. The tty that was
    /// read in fact is the location's `device`.
    public internal(set) var source: String

    /// Whether it was simulated or replayed from a recording: it is not a present position.
    public var isSimulatedBySoftware: Bool { origin == .replay || origin == .simulated }

    /// Whether it comes from a receiver that is plugged in.
    public var isProducedByAccessory: Bool { origin == .live }

    /// Creates source information.
    public init(origin: DataOrigin, source: String = "") {
        self.origin = origin
        self.source = source
    }
}
