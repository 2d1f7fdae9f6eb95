// SPDX-License-Identifier: MIT

/// The dilutions of precision that a receiver does not report, calculated from the directions of
/// the satellites used.
///
/// As in gpsd, all constellations are assumed to use the same system time.
package struct SatelliteGeometry: Hashable, Sendable {
    /// The east DOP.
    package let xdop: Double
    /// The north DOP.
    package let ydop: Double
    /// The time DOP.
    package let tdop: Double
    /// The geometric DOP, in space and time.
    package let gdop: Double

    /// Creates the DOPs. Returns `nil` if fewer than four used satellites have a known
    /// direction, or if they do not determine a position.
    package init?(_ view: SatelliteView) {
        guard view.used != SatelliteIDSet() else { return nil }
        var normal = NormalMatrix()
        var index = 0
        while let satellite = view.nextCombinedSignal(after: &index) {
            guard view.used.contains(satellite.id), let elevation = satellite.elevation,
                let azimuth = satellite.azimuth
            else { continue }
            normal.add(elevation: elevation, azimuth: azimuth)
        }
        guard normal.count >= 4, let variances = normal.invertedDiagonal() else { return nil }
        xdop = variances.x.squareRoot()
        ydop = variances.y.squareRoot()
        tdop = variances.w.squareRoot()
        gdop = variances.sum().squareRoot()
    }
}

/// The normal matrix of the least-squares solution: the sum over the satellites of the products of
/// the components east, north, up and 1.
private struct NormalMatrix {
    private(set) var count = 0
    private var columns = (
        SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>()
    )

    mutating func add(elevation: Double, azimuth: Double) {
        let (up, across) = PortableMath.sinCos(elevation * (.pi / 180))
        let (east, north) = PortableMath.sinCos(azimuth * (.pi / 180))
        let row = SIMD4(across * east, across * north, up, 1)
        columns.0 += row * row.x
        columns.1 += row * row.y
        columns.2 += row * row.z
        columns.3 += row
        count += 1
    }

    /// Returns the diagonal of the inverse; `nil` if the matrix is singular or a DOP is 1000
    /// or more.
    ///
    /// It uses Gauss-Jordan elimination. The matrix is symmetric and positive, so the pivots are on
    /// its diagonal.
    consuming func invertedDiagonal() -> SIMD4<Double>? {
        var rows: InlineArray<4, SIMD4<Double>> = [columns.0, columns.1, columns.2, columns.3]
        var inverse: InlineArray<4, SIMD4<Double>> = [
            [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
        ]
        for pivot in 0..<4 {
            let scale = rows[pivot][pivot]
            guard scale > 1e-9 else { return nil }
            rows[pivot] /= scale
            inverse[pivot] /= scale
            for other in 0..<4 where other != pivot {
                let factor = rows[other][pivot]
                rows[other] -= rows[pivot] * factor
                inverse[other] -= inverse[pivot] * factor
            }
        }
        let diagonal = SIMD4(inverse[0].x, inverse[1].y, inverse[2].z, inverse[3].w)
        // A DOP of 1000 or more is useless.
        return diagonal.min() > 0 && diagonal.max() < 1e6 ? diagonal : nil
    }
}
