// SPDX-License-Identifier: MIT
package import GNSS

/// A position on the map.
package struct PlottedPoint: LinePoint, Hashable, Sendable {
    package let coordinate: Coordinate
    /// Metres per second over ground; not a number where it is unknown.
    package let speed: Float
    /// Metres from where its region begins, to the east and to the north.
    let east: Float
    let north: Float
    package let quality: FixQuality
    /// Which of the regions it is in.
    package let region: UInt8
    /// It does not follow on the one before.
    package var beginsSegment = false

    init(_ fix: Fix, _ coordinate: Coordinate, _ address: Regions.Address) {
        self.coordinate = coordinate
        speed = fix.speed.map { Float($0) } ?? .nan
        east = Float(address.place.east)
        north = Float(address.place.north)
        quality = fix.quality
        region = UInt8(clamping: address.region)
    }

    func isNear(_ other: PlottedPoint, _ distance: Float) -> Bool {
        let (x, y) = (other.east - east, other.north - north)
        return region == other.region && x * x + y * y < distance * distance
    }
}
