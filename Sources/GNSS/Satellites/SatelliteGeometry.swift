// SPDX-License-Identifier: MIT

/// The dilutions that follow from the directions of the satellites used.
///
/// As gpsd, it takes all satellites to have one clock.
package struct SatelliteGeometry: Hashable, Sendable {
    /// Towards east.
    package let xdop: Double
    /// Towards north.
    package let ydop: Double
    /// In time.
    package let tdop: Double
    /// In space and time.
    package let gdop: Double

    /// `nil` with fewer than four used satellites of known direction, or if these do not determine a
    /// position.
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

/// The sums of products of the directions' components: east, north, up and 1.
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

    /// Returns the diagonal of the inverse; `nil` if there is none.
    ///
    /// By Gauss and Jordan; the matrix is symmetric and positive, so its diagonal has the pivots.
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
        // A dilution of 1000 is none.
        return diagonal.min() > 0 && diagonal.max() < 1e6 ? diagonal : nil
    }
}
