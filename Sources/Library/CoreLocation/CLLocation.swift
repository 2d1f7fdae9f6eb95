// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge

// Safety: immutable.
/// A position with its time, accuracy, speed and course. A negative accuracy, speed or course means
/// that the value is unknown.
///
/// Accuracies are 68 % values. No value of a received location is infinite or NaN. To get the other
/// values that the receiver sent, create a `Location` of `GPSBridge` from it: `Location(location)`.
nonisolated open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let values: LocationValues
    /// The location of `GPSBridge` from which this object was created; `nil` if the program created
    /// it.
    let received: Location?

    init(_ values: LocationValues, received: Location? = nil) {
        self.values = values
        self.received = received
    }

    /// Creates a location at latitude 0 and longitude 0, like `init(latitude:longitude:)`.
    public override init() {
        values = LocationValues(
            coordinate: Coordinate(latitude: 0, longitude: 0), timestamp: Date())
        received = nil
    }

    /// Creates a location at sea level with the current time, horizontal accuracy 0, and unknown
    /// vertical accuracy, course and speed.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        values = LocationValues(
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            timestamp: Date())
        received = nil
    }

    /// Creates a location with unknown course and speed.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        values = LocationValues(
            coordinate: coordinate.coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, timestamp: timestamp)
        received = nil
    }

    /// Creates a location whose course and speed accuracies are unknown.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        speed: CLLocationSpeed, timestamp: Date
    ) {
        values = LocationValues(
            coordinate: coordinate.coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: course, speed: speed, timestamp: timestamp)
        received = nil
    }

    /// Creates a location whose `sourceInformation` is `nil`.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        values = LocationValues(
            coordinate: coordinate.coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy,
            speed: speed, speedAccuracy: speedAccuracy, timestamp: timestamp)
        received = nil
    }

    /// Creates a location from all values, including its source information.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
        sourceInfo: CLLocationSourceInformation
    ) {
        values = LocationValues(
            coordinate: coordinate.coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy,
            speed: speed, speedAccuracy: speedAccuracy, timestamp: timestamp,
            origin: sourceInfo.origin)
        received = nil
    }

    // MARK: Values

    /// The latitude and longitude in degrees (WGS 84).
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(values.coordinate) }
    /// The altitude in metres above mean sea level. It is valid only if `verticalAccuracy` is
    /// above 0.
    open var altitude: CLLocationDistance { values.altitude }
    /// The altitude in metres above the WGS 84 ellipsoid; 0 if unknown.
    open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
    /// The radius in metres of a circle around `coordinate` that contains the true position with a
    /// probability of 68 %; 100 if the receiver's accuracy is unknown.
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
    /// The estimated error of `altitude` in metres; -1 for a two-dimensional fix.
    open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
    /// The course over ground in degrees from true north; -1 if unknown.
    open var course: CLLocationDirection { values.course }
    /// The estimated error of `course` in degrees: 180 if the receiver does not report it, negative
    /// if the course is unknown.
    open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
    /// The speed over ground in metres per second; -1 if unknown.
    open var speed: CLLocationSpeed { values.speed }
    /// The estimated error of `speed` in metres per second; negative if the speed is unknown.
    open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
    /// The time of the fix according to the receiver's clock.
    open var timestamp: Date { values.timestamp }
    /// Always `nil`, because receivers do not report floors.
    open var floor: CLFloor? { nil }
    /// The kind of source from which the location comes; `nil` if the program created the location
    /// without this information.
    open var sourceInformation: CLLocationSourceInformation? {
        values.origin.map { CLLocationSourceInformation($0) }
    }

    /// Returns the distance to another location in metres along the WGS 84 ellipsoid, ignoring
    /// altitudes. Returns 0 if a coordinate is not valid.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        let (here, there) = (coordinate.coordinate, location.coordinate.coordinate)
        guard here.isValid, there.isValid else { return 0 }
        return here.distance(from: there)
    }

    // MARK: NSObject

    /// Returns whether another location has the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLLocation else { return false }
        return self === other || currentValues == other.currentValues
    }

    /// A hash of the coordinate and the timestamp.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(coordinate.latitude)
        hasher.combine(coordinate.longitude)
        hasher.combine(timestamp)
        return hasher.finalize()
    }

    /// The location on one line in Apple's format:
    /// `<+48.20000000,+16.36000000> +/- 3.00m (speed 10.00 mps / course 90.00) @ …`, ending with
    /// the time.
    open override var description: String {
        let position = String(format: "<%+.8f,%+.8f>", coordinate.latitude, coordinate.longitude)
        let movement = String(
            format: "+/- %.2fm (speed %.2f mps / course %.2f)", horizontalAccuracy, speed, course)
        return "\(position) \(movement) @ \(timestamp.ISO8601Format())"
    }

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values with the keys that Apple's CoreLocation uses.
    open func encode(with coder: NSCoder) { currentValues.encode(with: coder) }

    /// Reads the values that `encode(with:)` wrote. Returns `nil` if the archive contains no
    /// coordinate.
    public required init?(coder: NSCoder) {
        guard let values = LocationValues(coder: coder) else { return nil }
        self.values = values
        received = nil
    }

    /// The values of all properties, even if a subclass overrides the properties.
    private var currentValues: LocationValues {
        guard type(of: self) != CLLocation.self else { return values }
        return LocationValues(
            coordinate: coordinate.coordinate, altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude,
            horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy,
            course: course, courseAccuracy: courseAccuracy, speed: speed,
            speedAccuracy: speedAccuracy, timestamp: timestamp, origin: sourceInformation?.origin)
    }
}

// Safety: has no stored values.
/// A floor of a building. Receivers do not report floors, so `CLLocation.floor` is always `nil`.
nonisolated open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The floor's number. Always 0, the ground floor, unless a subclass overrides it.
    open var level: Int { 0 }

    /// Creates the ground floor.
    public override init() {}

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing, because there are no stored values.
    open func encode(with coder: NSCoder) {}

    /// Creates the ground floor.
    public required init?(coder: NSCoder) {}
}

/// A latitude and a longitude in degrees (WGS 84). North and east are positive.
///
/// As on Apple's systems, it is not `Equatable`, because programs declare that conformance
/// themselves.
public struct CLLocationCoordinate2D: BitwiseCopyable, Sendable {
    /// The latitude in degrees, -90 to 90.
    public var latitude: CLLocationDegrees
    /// The longitude in degrees, -180 to 180.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate with latitude 0 and longitude 0.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate without checking it; see `CLLocationCoordinate2DIsValid(_:)`.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// An invalid coordinate: `CLLocationCoordinate2DIsValid(_:)` returns `false` for it.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
    latitude: -180, longitude: -180)

/// Returns whether the latitude is within ±90° and the longitude within ±180°.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    coord.coordinate.isValid
}

/// Creates a coordinate without checking it.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

// Safety: immutable.
/// The kind of source from which a location comes: a receiver, a simulation or a recording.
nonisolated open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding,
    @unchecked Sendable
{
    private let values: LocationOrigin

    init(_ origin: LocationOrigin) {
        values = origin
    }

    /// Creates source information whose values are `false`.
    public override init() {
        values = LocationOrigin(isSimulated: false, isFromAccessory: false)
    }

    /// Creates source information from the values of `isSimulatedBySoftware` and
    /// `isProducedByAccessory`.
    public init(
        softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
    ) {
        values = LocationOrigin(isSimulated: isSoftware, isFromAccessory: isAccessory)
    }

    /// Whether the location is simulated or replayed from a recording.
    open var isSimulatedBySoftware: Bool { values.isSimulated }

    /// Whether the location comes from a receiver that is plugged in.
    open var isProducedByAccessory: Bool { values.isFromAccessory }

    var origin: LocationOrigin {
        LocationOrigin(isSimulated: isSimulatedBySoftware, isFromAccessory: isProducedByAccessory)
    }

    /// Returns whether another object is source information with the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLLocationSourceInformation)?.origin == origin
    }

    /// A hash of the values.
    open override var hash: Int { values.hashValue }

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes both values.
    open func encode(with coder: NSCoder) {
        origin.encode(with: coder)
    }

    /// Reads the values that `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        values = LocationOrigin(coder: coder)
    }
}

/// A latitude, a longitude or another angle in degrees.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// The accuracy of a position or an altitude in metres; negative if unknown.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second; negative if unknown.
public typealias CLLocationSpeed = Double
/// The accuracy of a speed in metres per second; negative if unknown.
public typealias CLLocationSpeedAccuracy = Double
/// A direction in degrees clockwise from north; negative if unknown. North means true north, except
/// in `CLHeading.magneticHeading`.
public typealias CLLocationDirection = Double
/// The accuracy of a direction in degrees; negative if unknown.
public typealias CLLocationDirectionAccuracy = Double
/// A component of the magnetic field in microtesla.
public typealias CLHeadingComponentValue = Double

/// The largest finite distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The largest finite time interval.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// The `distanceFilter` that delivers every location.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The `headingFilter` that delivers every heading.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// The best accuracy available. On Linux, it has the same effect as `kCLLocationAccuracyBest`.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy available. As the `desiredAccuracy`, it accepts any valid fix.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// An accuracy of 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// An accuracy of 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// An accuracy of 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// An accuracy of 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The lowest accuracy: 6,380 km, about the radius of the Earth.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000
