// SPDX-License-Identifier: MIT
// A geometry library that uses CoreLocation's coordinates if CoreLocation is available.
import Foundation

#if canImport(CoreLocation)
    import CoreLocation

    /// A coordinate.
    public typealias LocationCoordinate2D = CLLocationCoordinate2D
    /// Metres.
    public typealias LocationDistance = CLLocationDistance
    /// Degrees from north.
    public typealias LocationDirection = CLLocationDirection
    /// Degrees.
    public typealias LocationDegrees = CLLocationDegrees
#else
    #error("there is no CoreLocation")
#endif

extension CLLocationCoordinate2D: @retroactive Equatable {
    /// Whether both values are the same.
    public static func == (a: CLLocationCoordinate2D, b: CLLocationCoordinate2D) -> Bool {
        a.latitude == b.latitude && a.longitude == b.longitude
    }
}

extension CLLocationCoordinate2D: @retroactive Hashable {
    /// Hashes both values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(latitude)
        hasher.combine(longitude)
    }
}

extension CLLocationCoordinate2D: @retroactive Codable {
    /// Reads longitude and latitude.
    public init(from decoder: Decoder) throws {
        var values = try decoder.unkeyedContainer()
        let longitude = try values.decode(CLLocationDegrees.self)
        self.init(latitude: try values.decode(CLLocationDegrees.self), longitude: longitude)
    }

    /// Writes longitude and latitude.
    public func encode(to encoder: Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(longitude)
        try values.encode(latitude)
    }
}

extension CLAuthorizationStatus: @retroactive CustomStringConvertible {
    /// In words.
    public var description: String {
        switch self {
        case .notDetermined: return "not determined"
        case .restricted: return "restricted"
        case .denied: return "denied"
        case .authorizedAlways: return "always"
        case .authorizedWhenInUse: return "when in use"
        @unknown default: return "unknown"
        }
    }
}

extension LocationCoordinate2D {
    /// Returns the point on a sphere at a distance in a direction.
    public func coordinate(
        at distance: LocationDistance, facing direction: LocationDirection
    ) -> LocationCoordinate2D {
        let (angle, course) = (distance / 6_371_000, direction * .pi / 180)
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        let end = asin(sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(course))
        let across = atan2(
            sin(course) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sin(end))
        return LocationCoordinate2D(
            latitude: end * 180 / .pi, longitude: (longitude + across) * 180 / .pi)
    }
}

extension Array where Element == CLLocation {
    /// Returns the length of the path in metres.
    public var length: CLLocationDistance {
        zip(self, dropFirst()).reduce(0) { $0 + $1.0.distance(from: $1.1) }
    }
}
