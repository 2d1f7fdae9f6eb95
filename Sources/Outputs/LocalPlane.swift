// SPDX-License-Identifier: MIT
import Glibc
import GNSS

/// The plane that touches the WGS 84 ellipsoid at a point: good to a part in a thousand for some
/// tens of kilometres around it.
struct LocalPlane {
    /// Metres to the east and to the north.
    struct Point {
        var x: Double
        var y: Double

        var squaredLength: Double { x * x + y * y }
    }

    private let origin: Coordinate
    private let metresPerLongitude: Double
    private let metresPerLatitude: Double

    init(at origin: Coordinate) {
        self.origin = origin
        let radians = origin.latitude * .pi / 180
        let sine = sin(radians)
        let flat = 1 - 6.694_379_990_14e-3 * sine * sine
        let prime = 6_378_137 / flat.squareRoot()
        metresPerLongitude = prime * cos(radians) * .pi / 180
        metresPerLatitude = prime * (1 - 6.694_379_990_14e-3) / flat * .pi / 180
    }

    /// Where a coordinate lies, by the shorter way round the globe.
    func point(_ coordinate: Coordinate) -> Point {
        var east = coordinate.longitude - origin.longitude
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return Point(
            x: east * metresPerLongitude,
            y: (coordinate.latitude - origin.latitude) * metresPerLatitude)
    }
}
