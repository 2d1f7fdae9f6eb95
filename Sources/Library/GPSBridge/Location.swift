// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
public import GPSReceivers
import Glibc

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
    private var knownHorizontalAccuracy: Double? { storage.values.horizontalAccuracy }

    /// The fix that contains this location's known values.
    private var impliedFix: Fix { storage.values.impliedFix(sourceInformation.origin) }

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

/// Encodes a location without unknown values. A `fix` that can be restored from the other values,
/// and empty `satellites`, are also omitted.
///
///     {"coordinate":{"latitude":48.2,"longitude":16.36},"horizontalAccuracy":3,"speed":10,
///      "timestamp":795780920,"origin":"live","source":"/dev/ttyACM0","device":"/dev/ttyACM0"}
extension Location: Codable {
    private enum CodingKeys: String, CodingKey {
        case coordinate, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course
        case courseAccuracy, speed, speedAccuracy, timestamp, isTimestampFromSystemClock
        case device, fix, satellites
    }

    /// Encodes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        func write(_ value: Double, _ key: CodingKeys, unknown: Double = -1) throws {
            if value != unknown, !value.isNaN { try values.encode(value, forKey: key) }
        }
        try values.encode(coordinate, forKey: .coordinate)
        try write(altitude, .altitude, unknown: verticalAccuracy > 0 ? .nan : 0)
        try write(ellipsoidalAltitude, .ellipsoidalAltitude, unknown: .nan)
        try values.encodeIfPresent(knownHorizontalAccuracy, forKey: .horizontalAccuracy)
        try write(verticalAccuracy, .verticalAccuracy)
        try write(course, .course)
        try write(courseAccuracy, .courseAccuracy)
        try write(speed, .speed)
        try write(speedAccuracy, .speedAccuracy)
        try values.encode(timestamp, forKey: .timestamp)
        if isTimestampFromSystemClock {
            try values.encode(true, forKey: .isTimestampFromSystemClock)
        }
        try sourceInformation.encode(to: encoder)
        try values.encode(device, forKey: .device)
        if fix != impliedFix { try values.encode(fix, forKey: .fix) }
        if satellites != SatelliteView() { try values.encode(satellites, forKey: .satellites) }
    }

    /// Decodes a location. Only the coordinate and the timestamp are required. A location without
    /// an origin counts as simulated.
    ///
    /// Throws `DecodingError` if a required value is missing or a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double? {
            try values.decodeIfPresent(Double.self, forKey: key)
        }
        self.init(
            coordinate: try values.decode(Coordinate.self, forKey: .coordinate),
            altitude: try number(.altitude) ?? 0,
            ellipsoidalAltitude: try number(.ellipsoidalAltitude),
            horizontalAccuracy: try number(.horizontalAccuracy),
            verticalAccuracy: try number(.verticalAccuracy) ?? -1,
            course: try number(.course) ?? -1,
            courseAccuracy: try number(.courseAccuracy) ?? -1,
            speed: try number(.speed) ?? -1,
            speedAccuracy: try number(.speedAccuracy) ?? -1,
            timestamp: try values.decode(Date.self, forKey: .timestamp),
            isTimestampFromSystemClock:
                try values.decodeIfPresent(Bool.self, forKey: .isTimestampFromSystemClock) ?? false,
            sourceInformation: try SourceInformation(from: decoder),
            fix: try values.decodeIfPresent(Fix.self, forKey: .fix),
            satellites: try values.decodeIfPresent(SatelliteView.self, forKey: .satellites)
                ?? SatelliteView(),
            device: try values.decodeIfPresent(String.self, forKey: .device) ?? "")
    }
}

extension SourceInformation: Codable {
    private enum CodingKeys: String, CodingKey {
        case origin, source
    }

    /// Encodes the origin and the source.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(origin.rawValue, forKey: .origin)
        try values.encode(source, forKey: .source)
    }

    /// Decodes source information. Without a known origin, it counts as simulated. Throws
    /// `DecodingError` if a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let origin = try values.decodeIfPresent(String.self, forKey: .origin)
        self.init(
            origin: origin.flatMap { DataOrigin(rawValue: $0) } ?? .simulated,
            source: try values.decodeIfPresent(String.self, forKey: .source) ?? "")
    }
}

extension Location: CustomStringConvertible {
    /// The location on one line, also in a printed array: the time, coordinate and accuracy, and the altitude, speed and
    /// course if they are known.
    ///
    ///     2026-11-20T13:46:16Z 48.2074883, 16.3633768 ±3 m, altitude 170.7 m ±4.5 m, 10 m/s, 90° (simulated)
    public var description: String {
        var parts = [
            "\(coordinate.latitude.rounded(7)), \(coordinate.longitude.rounded(7)) "
                + "±\(horizontalAccuracy.rounded(1)) m"
        ]
        if verticalAccuracy > 0 {
            parts.append("altitude \(altitude.rounded(1)) m ±\(verticalAccuracy.rounded(1)) m")
        }
        if speed >= 0 { parts.append("\(speed.rounded(1)) m/s") }
        if course >= 0 { parts.append("\(course.rounded(1))°") }
        let origin = sourceInformation.origin
        return "\(timestamp.formatted(.iso8601)) \(parts.joined(separator: ", "))"
            + (origin == .live ? "" : " (\(origin))")
    }
}

extension LocationUpdate: CustomStringConvertible {
    /// The location on one line, or the reason why there is none.
    public var description: String {
        if isAuthorizationDenied { return "this process is not permitted to open the receiver" }
        guard let location else { return "no location" }
        return isStationary ? "\(location), stationary" : location.description
    }
}

extension Double {
    /// Returns the number rounded to at most `decimals` decimals, without trailing zeros. With 1
    /// decimal, 3.04 is `3` and 170.6999 is `170.7`.
    func rounded(_ decimals: Int) -> String { String(self, atMostDecimals: decimals) }
}

extension Location {
    /// The `horizontalAccuracy` of a location whose accuracy is unknown, in metres.
    public static let unknownHorizontalAccuracy = 100.0

    /// The assumed ratio of horizontal accuracy to speed accuracy, in seconds; see `speedAccuracy`.
    private static let secondsOfSpeedAccuracy = 10.0

    /// The minimum of an estimated speed accuracy, in metres per second. Data sheets state this
    /// value for good signals. Corrections that improve a position to centimetres do not improve
    /// the speed, because it is measured by Doppler shifts.
    private static let minimumSpeedAccuracy = 0.05

    /// Converts an epoch's fix to CoreLocation's conventions. Returns `nil` without a position.
    init?(_ epoch: ReceiverEpoch) {
        // The fix is used in place, because copying it is expensive.
        guard epoch.fix.mode > .noFix, let coordinate = epoch.fix.coordinate else { return nil }
        let (speed, course, accuracy) = (epoch.fix.speed, epoch.fix.course, epoch.fix.accuracy)
        let altitude = epoch.fix.mode == .threeD ? epoch.fix.altitude : nil
        let speedAccuracy =
            speed == nil ? nil : accuracy.speed ?? Self.speedAccuracy(accuracy.horizontal)
        let courseAccuracy =
            (course == nil ? nil : accuracy.course)
            ?? Self.courseAccuracy(course, speed, speedAccuracy)
        let values = Values(
            coordinate: coordinate, altitude: altitude ?? 0,
            ellipsoidalAltitude: epoch.fix.ellipsoidalAltitude,
            horizontalAccuracy: accuracy.horizontal,
            // A 3D fix without a vertical accuracy gets an estimate, because -1 would mean that the
            // altitude is unknown.
            verticalAccuracy: altitude == nil
                ? -1
                : accuracy.vertical
                    ?? 1.5 * (accuracy.horizontal ?? Self.unknownHorizontalAccuracy),
            course: course ?? -1,
            courseAccuracy: courseAccuracy,
            speed: speed ?? -1, speedAccuracy: speedAccuracy ?? -1,
            timestamp: epoch.timestamp, isTimestampFromSystemClock: epoch.fix.time == nil)
        self.init(epoch, values, epoch.sourceInformation)
    }

    private static func speedAccuracy(_ horizontalAccuracy: Double?) -> Double? {
        horizontalAccuracy.map { max(minimumSpeedAccuracy, $0 / secondsOfSpeedAccuracy) }
    }

    /// Returns the course accuracy in degrees, calculated from the speed and its accuracy; -1 if
    /// unknown. The speed's error across the direction of travel is assumed to be as large as the
    /// error along it.
    private static func courseAccuracy(
        _ course: Double?, _ speed: Double?, _ speedAccuracy: Double?
    ) -> Double {
        guard course != nil, let speed, let speedAccuracy else { return -1 }
        return 180 / .pi * 2 * atan2(speedAccuracy, 2 * max(0, speed))
    }
}

extension Location.Values {
    /// Returns a fix that contains the location's values. Unknown values are `nil`.
    func impliedFix(_ origin: DataOrigin) -> Fix {
        var fix = Fix()
        fix.coordinate = coordinate
        fix.mode = verticalAccuracy > 0 ? .threeD : .twoD
        fix.quality = origin == .simulated ? .simulated : .autonomous
        if !isTimestampFromSystemClock {
            fix.time = UTCTime(timestamp)
            fix.timeOfDay = fix.time?.time
        }
        if verticalAccuracy > 0 { fix.altitude = altitude }
        fix.ellipsoidalAltitude = ellipsoidalAltitude
        if speed >= 0 { fix.speed = speed }
        if course >= 0 { fix.course = course }
        if let horizontalAccuracy, horizontalAccuracy >= 0 {
            fix.accuracy.horizontal = horizontalAccuracy
        }
        if verticalAccuracy > 0 { fix.accuracy.vertical = verticalAccuracy }
        if speedAccuracy >= 0 { fix.accuracy.speed = speedAccuracy }
        if courseAccuracy >= 0 { fix.accuracy.course = courseAccuracy }
        return fix
    }
}

extension UTCTime {
    /// Converts a date, rounded to microseconds. Returns `nil` if it is out of range.
    fileprivate init?(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
        guard abs(microseconds) < 9e15 else { return nil }
        self.init(unixNanoseconds: Int64(microseconds) * 1000)
    }
}

extension Date {
    /// Creates the date of a receiver's time.
    public init(_ time: UTCTime) {
        self.init(timeIntervalSince1970: Double(time.unixNanoseconds) / 1e9)
    }
}

extension ReceiverEpoch {
    /// The epoch's location; `nil` without a position, or while the receiver may still send the
    /// date.
    package var location: Location? { isDateSettled ? Location(self) : nil }

    /// The epoch's heading; `nil` if the receiver sends none, or while it may still send the date.
    package var heading: Heading? { isDateSettled ? Heading(self) : nil }

    /// The time of the fix or, without a date, the system's time at its arrival.
    var timestamp: Date { (fix.time ?? received).map { Date($0) } ?? .distantPast }

    /// The origin and the source of the epoch. A live receiver whose fix says that it is simulated
    /// counts as simulated.
    var sourceInformation: SourceInformation {
        let isSimulated = fix.quality == .simulated && origin.mayBeLive
        return SourceInformation(origin: isSimulated ? .simulated : origin, source: device)
    }
}
