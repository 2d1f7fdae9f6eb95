// SPDX-License-Identifier: MIT
import GNSS

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
