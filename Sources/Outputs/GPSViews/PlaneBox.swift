// SPDX-License-Identifier: MIT
import GNSS

/// The bounding box of a set of coordinates on a local plane, in metres.
struct PlaneBox {
    private var west = Double.infinity
    private var east = -Double.infinity
    private var south = Double.infinity
    private var north = -Double.infinity

    init(_ coordinates: [Coordinate], on plane: LocalPlane) {
        for position in coordinates.map({ plane.point(at: $0) }) {
            (west, east) = (min(west, position.east), max(east, position.east))
            (south, north) = (min(south, position.north), max(north, position.north))
        }
    }

    var width: Double { max(0, east - west) }
    var height: Double { max(0, north - south) }
    var middle: LocalPlane.Point {
        LocalPlane.Point(east: (west + east) / 2, north: (south + north) / 2)
    }
}
