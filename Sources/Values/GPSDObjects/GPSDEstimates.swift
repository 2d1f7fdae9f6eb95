// SPDX-License-Identifier: MIT
import GNSS

/// gpsd's estimated 95 % errors as read from a `TPV`, and their conversion to 68 % accuracies.
/// Values are in metres unless stated otherwise.
///
/// The errors are rounded to three decimals. Therefore, an accuracy is calculated from the standard
/// deviations if they are known and not 0, or from a DOP if the error is a multiple of that DOP.
struct GPSDEstimates {
    /// gpsd's factors for the horizontal and the vertical DOP. The first element is without
    /// corrections, the second with corrections.
    private static let gpsdRanges = (plane: [19.0, 4.75], height: [23.0, 5.75])
    /// Half a unit of the last decimal of an error.
    private static let rounding = 0.000_500_001
    /// Half a unit of the last decimal of a DOP.
    private static let dilutionRounding = 0.005

    var eph: Double?
    var epv: Double?
    var sep: Double?
    /// The error of the speed in metres per second.
    var eps: Double?
    /// The error of the course in degrees.
    var epd: Double?
    /// Whether the errors of the position and of the speed may be the receiver's own, which gpsd
    /// copies from UBX (`hAcc`, `vAcc` and `sAcc`) although they are one-sigma values.
    var mayBeOneSigma = false

    /// Returns the accuracy of a fix, which must already contain its standard deviations and
    /// DOPs.
    func accuracy(of fix: Fix) -> Accuracy {
        var accuracy = Accuracy()
        let range = RangeError().assumed(for: fix.quality)
        if let plane = fix.standardDeviation.horizontal, plane > 0 {
            accuracy.horizontal = Accuracy.planeFactor * plane
            accuracy.source = .standardDeviations
        } else if let eph, isOneSigma(eph, fix.dilution.hdop, Self.gpsdRanges.plane) {
            accuracy.horizontal = Accuracy.planeFactor * eph
            accuracy.source = .receiver
        } else if let eph {
            let assumed = Self.zip(fix.dilution.hdop, range).map { Accuracy.planeFactor * $0 * $1 }
            let factor = Accuracy.planeFactor95 / Accuracy.planeFactor
            if let assumed,
                Self.isSame(eph, factor * assumed)
                    || Self.isMultiple(eph, of: fix.dilution.hdop, Self.gpsdRanges.plane)
            {
                accuracy.horizontal = assumed
                accuracy.source = .dilution
            } else {
                accuracy.horizontal = Self.shortest(eph, dividedBy: factor)
            }
        }
        if fix.mode == .threeD { accuracy.vertical = vertical(of: fix, range) }
        // The spherical accuracy follows from the other two, unless the file contains a different
        // value.
        if let sep, accuracy.source != .receiver,
            accuracy.spherical95.map({ !Self.isSame(sep, $0) }) ?? true,
            !Self.isMultiple(sep, of: fix.dilution.pdop, Self.gpsdRanges.plane)
                || accuracy.source != .dilution
        {
            accuracy.spherical = sep / Accuracy.sphereRatio
        }
        return accuracy
    }

    private func vertical(of fix: Fix, _ range: Double?) -> Double? {
        if let altitude = fix.standardDeviation.altitude, altitude > 0 { return altitude }
        guard let epv else { return nil }
        if isOneSigma(epv, fix.dilution.vdop, Self.gpsdRanges.height) { return epv }
        if let assumed = Self.zip(fix.dilution.vdop, range).map({ $0 * $1 }),
            Self.isSame(epv, Accuracy.heightFactor95 * assumed)
                || Self.isMultiple(epv, of: fix.dilution.vdop, Self.gpsdRanges.height)
        {
            return assumed
        }
        return Self.shortest(epv, dividedBy: Accuracy.heightFactor95)
    }

    /// Returns whether an error is the receiver's own, and not a DOP multiplied by gpsd's factor
    /// without corrections. With corrections, the factor is like that of a receiver's own errors.
    private func isOneSigma(_ figure: Double, _ dilution: Double?, _ constants: [Double]) -> Bool {
        mayBeOneSigma && !Self.isMultiple(figure, of: dilution, Array(constants.prefix(1)))
    }

    private static func isSame(_ figure: Double, _ other: Double) -> Bool {
        abs(figure - other) <= rounding
    }

    /// Returns whether an error is a DOP multiplied by one of gpsd's factors.
    private static func isMultiple(
        _ figure: Double, of dilution: Double?, _ constants: [Double]
    ) -> Bool {
        guard let dilution else { return false }
        return constants.contains {
            abs(figure - $0 * dilution) <= rounding + $0 * dilutionRounding
        }
    }

    /// Returns the value with the fewest decimals that gives `figure` when multiplied by `factor`.
    private static func shortest(_ figure: Double, dividedBy factor: Double) -> Double {
        var scale = 1.0
        while scale < 1e6 {
            let value = (figure / factor * scale).rounded() / scale
            if isSame(value * factor, figure) { return value }
            scale *= 10
        }
        return figure / factor
    }

    private static func zip(_ a: Double?, _ b: Double?) -> (Double, Double)? {
        guard let a, let b else { return nil }
        return (a, b)
    }
}
