// SPDX-License-Identifier: MIT
package import GNSS

/// A position on the map.
package struct PlottedPoint: LinePoint, Hashable, Sendable {
    package let coordinate: Coordinate
    /// Speed over ground in metres per second; NaN if it is unknown.
    package let speed: Float
    /// The offset from the origin of its region to the east and north, in metres.
    let east: Float
    let north: Float
    package let quality: FixQuality
    /// The index of its region.
    package let region: UInt8
    /// Whether it is not connected with the previous point.
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
