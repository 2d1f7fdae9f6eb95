// SPDX-License-Identifier: MIT
import GNSS

/// A latitude and a longitude in degrees, WGS 84; north and east are positive.
///
/// As on Apple's systems, it is not `Equatable`; programs add that conformance themselves.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees, -90 to 90.
    public var latitude: CLLocationDegrees
    /// Degrees, -180 to 180.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate 0, 0.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate as given; see `CLLocationCoordinate2DIsValid(_:)`.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// A coordinate that is not valid.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
    latitude: -180, longitude: -180)

/// Returns whether the latitude is within ±90 and the longitude within ±180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    coord.coordinate.isValid
}

/// Creates a coordinate as given.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}
