// SPDX-License-Identifier: MIT
package import GNSS

/// A position of the track on the map.
package struct PlottedPoint: LinePoint, Hashable, Sendable {
    package let coordinate: Coordinate
    /// The speed over ground in metres per second; NaN if unknown.
    package let speed: Float
    /// The offset to the east from the first position of the point's `Region`, in metres.
    let east: Float
    let north: Float
    package let quality: FixQuality
    /// The index of the point's `Region` in `Regions.all`.
    package let region: UInt8
    /// Whether the point is not connected with the previous one.
    package var beginsSegment = false

    init(_ fix: Fix, _ coordinate: Coordinate, _ address: Regions.Address) {
        self.coordinate = coordinate
        speed = fix.speed.map { Float($0) } ?? .nan
        east = Float(address.position.east)
        north = Float(address.position.north)
        quality = fix.quality
        region = UInt8(clamping: address.region)
    }

    func isNear(_ other: PlottedPoint, _ distance: Float) -> Bool {
        let (x, y) = (other.east - east, other.north - north)
        return region == other.region && x * x + y * y < distance * distance
    }
}
