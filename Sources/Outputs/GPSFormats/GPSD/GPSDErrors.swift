// SPDX-License-Identifier: MIT
import GNSS

/// gpsd's estimated 95 % errors, calculated from the 68 % accuracies of a fix with the factors of
/// `Accuracy`. Values are in metres unless stated otherwise.
struct GPSDErrors {
    var epx: Double?
    var epy: Double?
    var epv: Double?
    var eph: Double?
    var sep: Double?
    /// The error of the speed in metres per second.
    var eps: Double?
    /// The error of the course in degrees.
    var epd: Double?
    /// The error of the time in seconds.
    var ept: Double?

    init(_ fix: Fix) {
        let sigma = fix.standardDeviation
        // With one decimal, an error of less than 5 cm is 0.
        if sigma.longitude != 0 || sigma.latitude != 0 {
            epx = sigma.longitude.map { Accuracy.heightFactor95 * $0 }
            epy = sigma.latitude.map { Accuracy.heightFactor95 * $0 }
        }
        eps = fix.accuracy.speed.map { Accuracy.heightFactor95 * $0 }
        epd = fix.accuracy.course.map { Accuracy.heightFactor95 * $0 }
        ept = fix.accuracy.time.map { Accuracy.heightFactor95 * $0 }
        eph = fix.accuracy.horizontal95
        sep = fix.accuracy.spherical95
        epv = fix.mode == .threeD ? fix.accuracy.vertical95 : nil
    }

    /// Sets `epx` and `epy` from the horizontal accuracy and the geometry of the satellites, unless
    /// the receiver reports standard deviations other than 0.
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
