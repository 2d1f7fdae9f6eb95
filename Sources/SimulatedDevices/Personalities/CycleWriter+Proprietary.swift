// SPDX-License-Identifier: MIT
import GNSS

extension CycleWriter {
    /// u-blox's position: height above the ellipsoid, speed in km/h, and down is positive.
    mutating func writePUBX00(_ observation: Observation, _ used: Int) {
        let solution = observation.solution
        time(observation)
        wire.coordinate(solution?.coordinate, decimals.minutes)
        wire.fixed(solution.map { $0.altitude + $0.geoidSeparation }, 3)
        switch solution?.mode {
        case .threeD: wire.text("G3")
        case .twoD: wire.text("G2")
        default: wire.text("NF")
        }
        wire.fixed(solution.map { 1.07 * Self.plane($0.deviations) }, 1)
        wire.fixed(solution?.deviations.up, 1)
        wire.fixed(solution.map { $0.speed * 3.6 }, 3)
        course(solution)
        wire.fixed(solution.map { -$0.climb }, 3)
        wire.empty()
        dilution(solution?.dilution.hdop)
        dilution(solution?.dilution.vdop)
        dilution(solution?.dilution.tdop)
        wire.integer(solution == nil ? 0 : used)
        wire.text("0")
        wire.text("0")
    }

    /// Garmin's errors: what half of all fixes keep within.
    mutating func writePGRME(_ observation: Observation) {
        let deviations = observation.solution?.deviations
        // 50 % of a normal distribution lie within 1.18 sigma in the plane, 0.674 on a line.
        let horizontal = deviations.map { Self.plane($0) * 1.07 / 1.287 }
        let vertical = deviations?.up.map { $0 / 1.483 }
        metres(horizontal, 1)
        metres(vertical, 1)
        metres(
            horizontal.map { h in vertical.map { (h * h + $0 * $0).squareRoot() } ?? h }, 1)
    }

    /// Garmin's altitude, in feet.
    mutating func writePGRMZ(_ observation: Observation) {
        let solution = observation.solution
        wire.fixed(solution.map { $0.altitude / 0.3048 }, 0)
        wire.letter(UInt8(ascii: "f"))
        wire.integer(Int((solution?.mode ?? .noFix).rawValue))
    }

    /// Trimble's position: the month first, height above the ellipsoid.
    mutating func writePTNLGGK(_ observation: Observation, _ used: Int) {
        let solution = observation.solution
        time(observation)
        if let date = observation.time?.date {
            wire.integer(date.month * 10_000 + date.day * 100 + date.year % 100, width: 6)
        } else {
            wire.empty()
        }
        wire.coordinate(solution?.coordinate, decimals.minutes)
        wire.integer(solution == nil ? 0 : 1)
        wire.integer(solution == nil ? 0 : used, width: 2)
        dilution(solution?.dilution.pdop)
        if let solution {
            wire.height(solution.altitude + solution.geoidSeparation, decimals.altitude)
        } else {
            wire.empty()
        }
        wire.letter(UInt8(ascii: "M"))
    }

    /// The root of the summed variances in the plane.
    private static func plane(_ deviations: Deviations) -> Double {
        (deviations.east * deviations.east + deviations.north * deviations.north).squareRoot()
    }
}
