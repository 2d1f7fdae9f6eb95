// SPDX-License-Identifier: MIT
import GNSS

/// Which part of the world the map shows, and how large.
struct MapView {
    /// It touches the Earth at the position nearest to the map's middle.
    let plane: LocalPlane
    let metresPerPixel: Double
    /// The length of the scale bar in metres, a handy number in the units shown.
    let scaleLength: Double
    private let middle: LocalPlane.Place

    /// Metres that the map shows at the least: what is seen closer is noise.
    private static let leastHeight = 10.0
    /// The part of the panel that is map, and the margin around the track within it, in pixels.
    private static let surroundings = (width: 28.0, height: 94.0, margin: 34.0)

    /// Shows all points in a panel of a size; there is at least one.
    init(_ points: [PlottedPoint], size: Frame, units: Units) {
        let first = points.first?.coordinate ?? Coordinate(latitude: 0, longitude: 0)
        let coordinates = points.map(\.coordinate)
        let rough = LocalPlane(at: first)
        let middle = PlaneBox(coordinates, on: rough).middle
        // It touches where the fix nearest to the middle is.
        let distances = coordinates.map { rough.place($0).distance(to: middle) }
        let nearest = zip(coordinates, distances).min { $0.1 < $1.1 }?.0
        plane = LocalPlane(at: nearest ?? first)
        let box = PlaneBox(coordinates, on: plane)
        self.middle = box.middle
        let width = max(1, size.width - Self.surroundings.width - 2 * Self.surroundings.margin)
        let height = max(1, size.height - Self.surroundings.height - 2 * Self.surroundings.margin)
        metresPerPixel = max(
            box.width / width, box.height / height, Self.leastHeight / height)
        scaleLength = units.handyLength(notAbove: metresPerPixel * width / 3.5)
    }

    /// Where a coordinate lies on the map.
    func point(_ coordinate: Coordinate, _ area: Frame) -> Point {
        let place = plane.place(coordinate)
        return Point(
            area.middle.x + (place.east - middle.east) / metresPerPixel,
            area.middle.y - (place.north - middle.north) / metresPerPixel)
    }
}
