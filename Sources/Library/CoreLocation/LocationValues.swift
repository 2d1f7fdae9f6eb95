// SPDX-License-Identifier: MIT
import GNSS
public import GPSBridge

/// The values of a `CLLocation`.
struct LocationValues: Equatable {
    var coordinate: Coordinate
    var altitude = 0.0
    var ellipsoidalAltitude = 0.0
    var horizontalAccuracy = 0.0
    var verticalAccuracy = -1.0
    var course = -1.0
    var courseAccuracy = -1.0
    var speed = -1.0
    var speedAccuracy = -1.0
    var timestamp: Date
    var origin: LocationOrigin?
}

/// The values of a `CLLocationSourceInformation`.
struct LocationOrigin: Hashable {
    var isSimulated: Bool
    var isFromAccessory: Bool
}

extension LocationValues {
    /// The value in degrees to use for an unknown course accuracy: the true course may be any
    /// direction.
    private static let unknownCourseAccuracy = 180.0

    /// An unknown speed accuracy is estimated as the horizontal accuracy divided by this time in
    /// seconds.
    private static let secondsOfSpeedAccuracy = 10.0

    /// Creates the values of a receiver's location.
    ///
    /// Programs ignore a speed or course whose accuracy is negative. Therefore, if the speed or
    /// course is known but its accuracy is not, the accuracy is estimated.
    init(_ location: Location) {
        let ellipsoidalAltitude = location.ellipsoidalAltitude
        self.init(
            coordinate: location.coordinate, altitude: location.altitude,
            ellipsoidalAltitude: ellipsoidalAltitude.isNaN ? 0 : ellipsoidalAltitude,
            horizontalAccuracy: location.horizontalAccuracy,
            verticalAccuracy: location.verticalAccuracy,
            course: location.course,
            courseAccuracy: location.course >= 0 && location.courseAccuracy < 0
                ? Self.unknownCourseAccuracy : location.courseAccuracy,
            speed: location.speed,
            speedAccuracy: location.speed >= 0 && location.speedAccuracy < 0
                ? location.horizontalAccuracy / Self.secondsOfSpeedAccuracy
                : location.speedAccuracy,
            timestamp: location.timestamp,
            origin: LocationOrigin(
                isSimulated: location.sourceInformation.isSimulatedBySoftware,
                isFromAccessory: location.sourceInformation.isProducedByAccessory))
    }
}

extension CLLocation {
    package convenience init(receiver location: Location) {
        self.init(LocationValues(location), received: location)
    }
}

extension Location {
    /// Returns the receiver's location from which a `CLLocation` was created. It has more
    /// properties, such as `fix`, `satellites` and `device`. Returns `nil` if the program created
    /// the `CLLocation` itself or read it from an archive.
    public init?(_ location: CLLocation) {
        guard let received = location.received else { return nil }
        self = received
    }
}

/// The keys, as in Apple's archives, for the values that `LocationValues.numbers` does not contain.
private enum LocationArchiveKey {
    static let latitude = "kCLLocationCodingKeyCoordinateLatitude"
    static let longitude = "kCLLocationCodingKeyCoordinateLongitude"
    static let timestamp = "kCLLocationCodingKeyTimestamp"
    static let isSimulated = "isSimulatedBySoftware"
    static let isFromAccessory = "isProducedByAccessory"
}

extension LocationValues {
    private typealias Number = any WritableKeyPath<LocationValues, Double> & Sendable

    /// The properties that are stored as numbers, each with its key in Apple's archives.
    private static let numbers: [(key: String, path: Number)] = [
        ("Altitude", \.altitude), ("EllipsoidalAltitude", \.ellipsoidalAltitude),
        ("HorizontalAccuracy", \.horizontalAccuracy), ("VerticalAccuracy", \.verticalAccuracy),
        ("Course", \.course), ("CourseAccuracy", \.courseAccuracy),
        ("Speed", \.speed), ("SpeedAccuracy", \.speedAccuracy),
    ].map { ("kCLLocationCodingKey" + $0.0, $0.1) }

    func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: LocationArchiveKey.latitude)
        coder.encode(coordinate.longitude, forKey: LocationArchiveKey.longitude)
        for (key, path) in Self.numbers { coder.encode(self[keyPath: path], forKey: key) }
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: LocationArchiveKey.timestamp)
        origin?.encode(with: coder)
    }

    /// Reads the values from an archive of gpsbridge or of Apple's CoreLocation. To read Apple's
    /// archive, a program must first register Apple's class name with its `NSKeyedUnarchiver`.
    /// Missing values are unknown. Returns `nil` if the archive contains no coordinate.
    init?(coder: NSCoder) {
        guard coder.containsValue(forKey: LocationArchiveKey.latitude),
            coder.containsValue(forKey: LocationArchiveKey.longitude)
        else { return nil }
        self.init(
            coordinate: Coordinate(
                latitude: coder.decodeDouble(forKey: LocationArchiveKey.latitude),
                longitude: coder.decodeDouble(forKey: LocationArchiveKey.longitude)),
            horizontalAccuracy: -1,
            timestamp: Date(
                timeIntervalSinceReferenceDate: coder.decodeDouble(
                    forKey: LocationArchiveKey.timestamp)))
        for (key, path) in Self.numbers where coder.containsValue(forKey: key) {
            self[keyPath: path] = coder.decodeDouble(forKey: key)
        }
        if coder.containsValue(forKey: LocationArchiveKey.isSimulated) {
            origin = LocationOrigin(coder: coder)
        }
    }
}

extension LocationOrigin {
    func encode(with coder: NSCoder) {
        coder.encode(isSimulated, forKey: LocationArchiveKey.isSimulated)
        coder.encode(isFromAccessory, forKey: LocationArchiveKey.isFromAccessory)
    }

    init(coder: NSCoder) {
        isSimulated = coder.decodeBool(forKey: LocationArchiveKey.isSimulated)
        isFromAccessory = coder.decodeBool(forKey: LocationArchiveKey.isFromAccessory)
    }
}
