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
