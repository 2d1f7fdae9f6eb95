// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge

// Safety: immutable.
/// A position at one moment; a negative accuracy, speed or course is unknown.
///
/// Accuracies hold with 68 % probability. No value is ever infinite or not a number. Everything
/// else that a receiver sent is in `Location(_:)` of `GPSBridge`.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let values: LocationValues
    /// The receiver's location; `nil` if the program created this object.
    let received: Location?

    init(_ values: LocationValues, received: Location? = nil) {
        self.values = values
        self.received = received
    }

    /// Creates a location at 0, 0 with the current time, as `init(latitude:longitude:)` does.
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

    /// Creates a location whose course and speed have no accuracy.
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

    /// Creates a location without source information.
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

    /// Creates a location from all its values.
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

    /// Degrees, WGS 84.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(values.coordinate) }
    /// Metres above mean sea level; unknown unless `verticalAccuracy` is above 0.
    open var altitude: CLLocationDistance { values.altitude }
    /// Metres above the WGS 84 ellipsoid; 0 if unknown.
    open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
    /// The radius in metres of the circle that contains the true position.
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
    /// The error of `altitude` in metres; -1 for a two-dimensional fix.
    open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
    /// Degrees from true north over ground; -1 if unknown.
    open var course: CLLocationDirection { values.course }
    /// The estimated error of `course` in degrees.
    open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
    /// Metres per second over ground; -1 if unknown.
    open var speed: CLLocationSpeed { values.speed }
    /// The estimated error of `speed` in metres per second.
    open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
    /// The time of the fix by the receiver's clock.
    open var timestamp: Date { values.timestamp }
    /// Always `nil`.
    open var floor: CLFloor? { nil }
    /// Whether it comes from a receiver, a simulation or a recording; `nil` if a program made it
    /// without saying so.
    open var sourceInformation: CLLocationSourceInformation? {
        values.origin.map { CLLocationSourceInformation($0) }
    }

    /// Returns the distance in metres along the WGS 84 ellipsoid, ignoring altitudes; 0 if a
    /// coordinate is not valid.
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

    /// A hash of the values.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(coordinate.latitude)
        hasher.combine(coordinate.longitude)
        hasher.combine(timestamp)
        return hasher.finalize()
    }

    /// One line, as Apple's:
    /// `<+48.20000000,+16.36000000> +/- 3.00m (speed 10.00 mps / course 90.00) @ …`.
    open override var description: String {
        let position = String(format: "<%+.8f,%+.8f>", coordinate.latitude, coordinate.longitude)
        let movement = String(
            format: "+/- %.2fm (speed %.2f mps / course %.2f)", horizontalAccuracy, speed, course)
        return "\(position) \(movement) @ \(timestamp.ISO8601Format())"
    }

    /// Returns the location itself, since it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values with Apple's keys.
    open func encode(with coder: NSCoder) { currentValues.encode(with: coder) }

    /// Reads the output of `encode(with:)`; `nil` without a coordinate.
    public required init?(coder: NSCoder) {
        guard let values = LocationValues(coder: coder) else { return nil }
        self.values = values
        received = nil
    }

    /// The values, including those that a subclass overrides.
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
