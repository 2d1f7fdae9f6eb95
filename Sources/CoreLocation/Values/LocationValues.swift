// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
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
    /// The value in degrees for an unknown course accuracy, which means any direction.
    private static let unknownCourseAccuracy = 180.0

    /// The divisor in seconds that converts horizontal accuracy to an unknown speed accuracy.
    private static let secondsOfSpeedAccuracy = 10.0

    /// The values of a receiver's location.
    ///
    /// A negative accuracy would make a program ignore the speed or course that it belongs to, so
    /// there is an estimate wherever there is a value.
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
    /// Everything that is known of a location that a receiver has sent: `fix`, `satellites`,
    /// `device`…; `nil` of a location that a program has made.
    public init?(_ location: CLLocation) {
        guard let received = location.received else { return nil }
        self = received
    }
}
