// SPDX-License-Identifier: MIT
import GNSS

/// The statistics of the trip since the start, as printed by `convert --summary`.
struct TripPanel: Panel {
    let title = "Trip"
    let minimumRows = 5

    func usefulRows(_ scene: Scene) -> Int? { 9 }

    /// The width of a name with its value, in columns.
    private static let width = 28

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let rows = scene.model.trip.rows(scene.settings.units)
        let columns = max(1, canvas.width / Self.width)
        for (index, row) in rows.enumerated() {
            let (x, y) = (index % columns * Self.width + 1, index / columns)
            canvas.write(row.name, x, y, .dim)
            canvas.write(row.value, x + 15, y, scene.valueStyle)
        }
    }
}
