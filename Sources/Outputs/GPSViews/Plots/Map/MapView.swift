// SPDX-License-Identifier: MIT
import GNSS

/// The area that the map shows, and its scale.
struct MapView {
    /// The local plane of the map. It touches the Earth at the plotted position that is nearest to
    /// the map's centre.
    let plane: LocalPlane
    let metresPerPixel: Double
    /// The length of the scale bar in metres: a round number in the displayed units.
    let scaleLength: Double
    private let middle: LocalPlane.Point

    /// The minimum height of the map in metres. On a smaller map, only noise would be visible.
    private static let minimumHeight = 10.0
    /// The width and height of the panel's border, and the margin between the track and the edge of
    /// the map, in pixels.
    private static let surroundings = (width: 28.0, height: 94.0, margin: 34.0)

    /// Creates a view of all points for a panel of the given size. There must be at least one
    /// point.
    init(_ points: [PlottedPoint], size: Frame, units: Units) {
        let first = points.first?.coordinate ?? Coordinate(latitude: 0, longitude: 0)
        let coordinates = points.map(\.coordinate)
        let rough = LocalPlane(at: first)
        let middle = PlaneBox(coordinates, on: rough).middle
        // The centre is known only on the rough plane, so the map's plane touches the Earth at the
        // plotted position nearest to it.
        let distances = coordinates.map { rough.point(at: $0).distance(to: middle) }
        let nearest = zip(coordinates, distances).min { $0.1 < $1.1 }?.0
        plane = LocalPlane(at: nearest ?? first)
        let box = PlaneBox(coordinates, on: plane)
        self.middle = box.middle
        let width = max(1, size.width - Self.surroundings.width - 2 * Self.surroundings.margin)
        let height = max(1, size.height - Self.surroundings.height - 2 * Self.surroundings.margin)
        metresPerPixel = max(
            box.width / width, box.height / height, Self.minimumHeight / height)
        scaleLength = units.roundLength(notAbove: metresPerPixel * width / 3.5)
    }

    /// Returns the point of a coordinate on a map that is drawn in `area`.
    func point(_ coordinate: Coordinate, _ area: Frame) -> Point {
        let position = plane.point(at: coordinate)
        return Point(
            area.middle.x + (position.east - middle.east) / metresPerPixel,
            area.middle.y - (position.north - middle.north) / metresPerPixel)
    }
}
