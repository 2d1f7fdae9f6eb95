// SPDX-License-Identifier: MIT

/// The mean C/N0 by direction. The sky is divided into cells that look equally large on the plot.
package struct SkyCells: Sendable {
    /// The number of rings around the zenith. Each covers ten degrees of elevation.
    package static let rings = 9

    /// A part of the sky. `elevations` and `azimuths` are in degrees.
    package struct Cell: Hashable, Sendable {
        package let elevations: ClosedRange<Double>
        package let azimuths: ClosedRange<Double>
        /// The mean C/N0 in dB-Hz.
        package let cn0: Double
    }

    private var sums = [Double](repeating: 0, count: SkyCells.count)
    private var counts = [Double](repeating: 0, count: SkyCells.count)

    /// Returns the number of cells in all rings inside the given ring.
    private static func cells(inside ring: Int) -> Int { 4 * ring * ring }

    private static let count = cells(inside: rings)

    package init() {}

    package mutating func add(_ cn0: Double, elevation: Double, azimuth: Double) {
        guard cn0.isFinite, 0...90 ~= elevation, azimuth.isFinite else { return }
        let ring = min(Self.rings - 1, Int((90 - elevation) / 10))
        let sectors = Self.cells(inside: ring + 1) - Self.cells(inside: ring)
        var fraction = azimuth / 360
        if !(0..<1 ~= fraction) { fraction -= fraction.rounded(.down) }
        let index = Self.cells(inside: ring) + min(sectors - 1, Int(fraction * Double(sectors)))
        sums[index] += cn0
        counts[index] += 1
    }

    /// The cells with at least one received signal.
    package var received: [Cell] {
        (0..<Self.rings).flatMap { ring -> [Cell] in
            let first = Self.cells(inside: ring)
            let sectors = Self.cells(inside: ring + 1) - first
            return (0..<sectors).compactMap { sector -> Cell? in
                guard counts[first + sector] > 0 else { return nil }
                let width = 360 / Double(sectors)
                return Cell(
                    elevations: 80 - Double(ring) * 10...90 - Double(ring) * 10,
                    azimuths: Double(sector) * width...Double(sector + 1) * width,
                    cn0: sums[first + sector] / counts[first + sector])
            }
        }
    }
}
