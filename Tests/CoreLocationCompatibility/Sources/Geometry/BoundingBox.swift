// SPDX-License-Identifier: MIT
import class CoreLocation.CLLocation
import struct CoreLocation.CLLocationCoordinate2D

/// The smallest box around locations.
public struct BoundingBox: Sendable {
    /// Its lower left corner.
    public let southWest: CLLocationCoordinate2D
    /// Its upper right corner.
    public let northEast: CLLocationCoordinate2D

    /// `nil` without locations.
    public init?(_ locations: [CLLocation]) {
        let coordinates = locations.map { $0.coordinate }
        guard let south = coordinates.map({ $0.latitude }).min(),
            let north = coordinates.map({ $0.latitude }).max(),
            let west = coordinates.map({ $0.longitude }).min(),
            let east = coordinates.map({ $0.longitude }).max()
        else { return nil }
        southWest = CLLocationCoordinate2D(latitude: south, longitude: west)
        northEast = CLLocationCoordinate2D(latitude: north, longitude: east)
    }
}
