// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension CycleWriter {
    /// Returns u-blox's position sentence (`PUBX,00`).
    func pubx00(_ observation: SimulatedObservation) -> PUBX00 {
        let solution = observation.solution
        var pubx = PUBX00()
        pubx.time = observation.time?.time
        pubx.coordinate = solution?.coordinate
        pubx.ellipsoidalAltitude = solution?.ellipsoidalAltitude
        pubx.status =
            switch solution?.mode {
            case .threeD: "G3"
            case .twoD: "G2"
            default: "NF"
            }
        pubx.horizontalAccuracy = solution.map { 1.07 * $0.deviations.horizontal }
        pubx.verticalAccuracy = solution?.deviations.up
        pubx.speedKilometresPerHour = solution.map { $0.speed * 3.6 }
        pubx.course = solution?.course
        pubx.descentRate = solution.map { -$0.climb }
        pubx.hdop = dilution(solution?.dilution.hdop)
        pubx.vdop = dilution(solution?.dilution.vdop)
        pubx.tdop = dilution(solution?.dilution.tdop)
        pubx.satellites = solution == nil ? 0 : observation.used.count
        pubx.usesDeadReckoning = 0
        return pubx
    }

    /// Returns Garmin's error sentence (PGRME). Its errors are medians: half of all fixes are
    /// within these distances.
    func pgrme(_ observation: SimulatedObservation) -> PGRME {
        let deviations = observation.solution?.deviations
        var pgrme = PGRME()
        // Half of a normal distribution is within 1.18 sigma in the plane, and within 0.674 sigma
        // on a line.
        let horizontal = deviations.map { $0.horizontal * 1.07 / 1.287 }
        let vertical = deviations?.up.map { $0 / 1.483 }
        pgrme.horizontalError = horizontal
        pgrme.verticalError = vertical
        pgrme.sphericalError = horizontal.map { h in
            vertical.map { (h * h + $0 * $0).squareRoot() } ?? h
        }
        return pgrme
    }

    /// Returns Garmin's altitude sentence (PGRMZ), in feet above mean sea level.
    func pgrmz(_ observation: SimulatedObservation) -> PGRMZ {
        var pgrmz = PGRMZ()
        pgrmz.altitudeFeet = observation.solution.map { $0.altitude / 0.3048 }
        pgrmz.fix = observation.solution?.mode ?? .noFix
        return pgrmz
    }

    /// Returns Garmin's datum sentence (PGRMM).
    func pgrmm() -> PGRMM {
        var pgrmm = PGRMM()
        pgrmm.datum = "WGS 84"
        return pgrmm
    }

    /// Returns Trimble's position sentence (`PTNL,GGK`). Its altitude is above the ellipsoid.
    func ptnlGGK(_ observation: SimulatedObservation) -> PTNLGGK {
        let solution = observation.solution
        var ggk = PTNLGGK()
        ggk.time = observation.time?.time
        ggk.date = observation.time?.date
        ggk.coordinate = solution?.coordinate
        ggk.qualityCode = solution == nil ? 0 : 1
        ggk.satellites = solution == nil ? 0 : observation.used.count
        ggk.dop = dilution(solution?.dilution.pdop)
        ggk.ellipsoidalAltitude = solution?.ellipsoidalAltitude
        return ggk
    }
}

extension Solution {
    fileprivate var ellipsoidalAltitude: Double { altitude + geoidSeparation }
}
