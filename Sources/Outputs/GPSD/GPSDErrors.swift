// SPDX-License-Identifier: MIT
import GNSS

/// gpsd's estimated errors in metres, at the 95 % it calls them: from the receiver's own standard
/// deviations, else from an accuracy that was read from a file, else DOP times gpsd's constants.
struct GPSDErrors {
    var epx: Double?
    var epy: Double?
    var epv: Double?
    var eph: Double?
    var sep: Double?

    /// From 68 % to 95 % of a sphere: the radii have to each other 1.872 and 2.796 sigma.
    private static let sphericalFactor = 2.796 / 1.872

    init(_ fix: Fix) {
        let sigma = fix.standardDeviation
        let isDifferential = fix.quality == .differential
        epx = sigma.longitude.map { 1.96 * $0 }
        epy = sigma.latitude.map { 1.96 * $0 }
        let position = isDifferential ? 4.75 : 19
        // Of an accuracy that a receiver's sentences lead to, the source is known.
        let isRead = fix.accuracy.source == nil && fix.accuracy.horizontal != nil
        let read = isRead ? fix.accuracy : Accuracy()
        eph =
            sigma.horizontal.map { 1.73 * $0 }
            ?? read.horizontal.map { 1.73 / Accuracy.planeFactor * $0 }
            ?? fix.dilution.hdop.map { position * $0 }
        if let plane = sigma.horizontal, let height = sigma.altitude {
            sep = 1.61 * (plane * plane + height * height).squareRoot()
        } else {
            sep =
                fix.accuracy.spherical.map { Self.sphericalFactor * $0 }
                ?? fix.dilution.pdop.map { position * $0 }
        }
        guard fix.mode == .threeD else { return }
        let height = isDifferential ? 5.75 : 23
        epv =
            sigma.altitude.map { 1.96 * $0 } ?? read.vertical.map { 1.96 * $0 }
            ?? fix.dilution.vdop.map { height * $0 }
    }
}
