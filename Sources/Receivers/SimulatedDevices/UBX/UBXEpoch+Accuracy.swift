// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension UBXEpoch {
    /// The horizontal accuracy in metres: the root of the sum of the north and east variances.
    /// Without a fix, it grows with time; before the first fix, it is `nil`.
    var horizontalAccuracy: Double? { accuracy(\.horizontal) }

    /// The one-sigma vertical accuracy in metres. Without a fix, it grows with time; before the
    /// first fix, it is `nil`.
    var verticalAccuracy: Double? { accuracy { $0.up ?? Self.heldAltitude } }

    private func accuracy(_ value: (Deviations) -> Double) -> Double? {
        if let solution { return value(solution.deviations) }
        // The receiver may have moved at the speed of a car (20 m/s).
        return lastSolution.map { value($0.solution.deviations) + (10 + 20 * $0.age) }
    }

    /// The reported accuracy of the altitude of a 2D fix in metres. This altitude is not measured.
    private static let heldAltitude = 66.0

    var dop: NavDOP {
        var dop = NavDOP()
        dop.timeOfWeekMilliseconds = timeOfWeek
        guard let solution else { return dop }
        let dilution = solution.dilution
        dop.geometric = limited(dilution.gdop)
        dop.position = limited(dilution.pdop)
        dop.time = limited(dilution.tdop)
        dop.vertical = limited(dilution.vdop)
        dop.horizontal = limited(dilution.hdop)
        let deviations = solution.deviations
        dop.north = limited(deviations.north / deviations.range)
        dop.east = limited(deviations.east / deviations.range)
        return dop
    }

    /// Returns a DOP, at least 0.01; `nil` if it is unknown or too large for the message.
    func limited(_ dilution: Double?) -> Double? {
        guard let dilution, dilution.isFinite else { return nil }
        return dilution < 99.985 ? max(0.01, dilution) : nil
    }

    /// The covariances of position and velocity. Covariances between the vertical and the
    /// horizontal components are 0.
    var cov: NavCOV {
        var cov = NavCOV()
        cov.timeOfWeekMilliseconds = timeOfWeek
        guard let deviations = solution?.deviations else { return cov }
        cov.isPositionValid = 1
        cov.isVelocityValid = 1
        let (sine, cosine) = PortableMath.sinCos(deviations.orientation.radians)
        let major = deviations.semiMajor * deviations.semiMajor
        let minor = deviations.semiMinor * deviations.semiMinor
        cov.positionNN = Float(deviations.north * deviations.north)
        cov.positionNE = Float((major - minor) * sine * cosine)
        cov.positionEE = Float(deviations.east * deviations.east)
        let up = deviations.up ?? Self.heldAltitude
        cov.positionDD = Float(up * up)
        let velocity = Float(velocityDeviation * velocityDeviation)
        (cov.velocityNN, cov.velocityEE, cov.velocityDD) = (velocity, velocity, velocity)
        return cov
    }

    /// The protection levels: error bounds that are exceeded in at most 5 % of the epochs. They are
    /// 4.7 times the standard deviation, as observed with real chips.
    var pl: NavPL {
        var pl = NavPL()
        pl.version = 1
        pl.timeOfWeekMilliseconds = timeOfWeek
        pl.riskCoefficient = 5
        pl.positionFrame = 1
        guard let deviations = solution?.deviations, solution?.mode == .threeD,
            let up = deviations.up
        else {
            pl.positionInvalidity = 1
            pl.velocityInvalidity = 1
            pl.timeInvalidity = 1
            return pl
        }
        pl.isPositionValid = 1
        pl.position1 = Self.protectionFactor * deviations.north
        pl.position2 = Self.protectionFactor * deviations.east
        pl.position3 = Self.protectionFactor * up
        // This firmware does not report levels for velocity and time.
        pl.velocityInvalidity = 30
        pl.timeInvalidity = 30
        return pl
    }

    private static let protectionFactor = 4.7
}

extension Deviations {
    /// The square root of the sum of both horizontal variances, in metres.
    var horizontal: Double { (east * east + north * north).squareRoot() }
}
