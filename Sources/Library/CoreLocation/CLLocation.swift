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
