// SPDX-License-Identifier: MIT
import GNSS

/// gpsd's estimated errors: our 68 % accuracies, multiplied by the 95 % factors of `Accuracy`. Metres,
/// unless a property says otherwise.
struct GPSDErrors {
    var epx: Double?
    var epy: Double?
    var epv: Double?
    var eph: Double?
    var sep: Double?
    /// Metres per second.
    var eps: Double?
    /// Degrees.
    var epd: Double?
    /// Seconds.
    var ept: Double?

    init(_ fix: Fix) {
        epx = fix.standardDeviation.longitude.map { Accuracy.heightFactor95 * $0 }
        epy = fix.standardDeviation.latitude.map { Accuracy.heightFactor95 * $0 }
        eps = fix.accuracy.speed.map { Accuracy.heightFactor95 * $0 }
        epd = fix.accuracy.course.map { Accuracy.heightFactor95 * $0 }
        ept = fix.accuracy.time.map { Accuracy.heightFactor95 * $0 }
        eph = fix.accuracy.horizontal95
        sep = fix.accuracy.spherical95
        epv = fix.mode == .threeD ? fix.accuracy.vertical95 : nil
    }

    /// Splits the error in the plane into east and north by the satellites' geometry, where the receiver
    /// does not report deviations.
    mutating func splitPlane(by geometry: SatelliteGeometry, _ fix: Fix) {
        guard epx == nil, epy == nil, let horizontal = fix.accuracy.horizontal else { return }
        let (x, y) = (geometry.xdop, geometry.ydop)
        let unit =
            Accuracy.heightFactor95 * horizontal
            / (Accuracy.planeFactor * (x * x + y * y).squareRoot())
        epx = unit * x
        epy = unit * y
    }
}
