// SPDX-License-Identifier: MIT
import GNSS
import UBX

// The parts of a solution as messages of their own, which u-blox 6 sends instead of `NAV-PVT`. Their
// values are those of `pvt`.

extension UBXEpoch {
    var posllh: NavPOSLLH {
        let pvt = pvt
        var position = NavPOSLLH()
        position.timeOfWeekMilliseconds = timeOfWeek
        position.latitude = pvt.latitude
        position.longitude = pvt.longitude
        position.ellipsoidalAltitude = pvt.ellipsoidalAltitude
        position.altitude = pvt.altitude
        position.horizontalAccuracy = pvt.horizontalAccuracy
        position.verticalAccuracy = pvt.verticalAccuracy
        return position
    }

    var velned: NavVELNED {
        let pvt = pvt
        var velocity = NavVELNED()
        velocity.timeOfWeekMilliseconds = timeOfWeek
        velocity.velocityNorth = pvt.velocityNorth
        velocity.velocityEast = pvt.velocityEast
        velocity.velocityDown = pvt.velocityDown
        velocity.groundSpeed = pvt.groundSpeed
        velocity.speed =
            (pvt.groundSpeed * pvt.groundSpeed + pvt.velocityDown * pvt.velocityDown).squareRoot()
        velocity.course = pvt.course
        velocity.speedAccuracy = pvt.speedAccuracy
        velocity.courseAccuracy = pvt.courseAccuracy
        return velocity
    }

    var timeUTC: NavTIMEUTC {
        let pvt = pvt
        var time = NavTIMEUTC()
        time.timeOfWeekMilliseconds = timeOfWeek
        time.timeAccuracy = pvt.timeAccuracy
        time.nanoseconds = pvt.nanoseconds
        (time.year, time.month, time.day) = (pvt.year, pvt.month, pvt.day)
        (time.hour, time.minute, time.second) = (pvt.hour, pvt.minute, pvt.second)
        time.validity = .init(rawValue: observation.time == nil ? 0 : 0b111)
        return time
    }

    /// The solution in Earth-centred coordinates. Without a fix, it contains the last position.
    var sol: NavSOL {
        let pvt = pvt
        var solution = NavSOL()
        solution.timeOfWeekMilliseconds = timeOfWeek
        solution.week =
            observation.time.flatMap { GPSTime($0) }
            .flatMap { Int16(exactly: $0.week) } ?? 0
        solution.fixType = fixType
        solution.flags = status.flags
        solution.satellitesUsed = pvt.satellitesUsed
        solution.positionDilution = pvt.positionDilution
        solution.speedAccuracy = pvt.speedAccuracy
        solution.accuracy = pvt.horizontalAccuracy.flatMap { horizontal in
            pvt.verticalAccuracy.map { (horizontal * horizontal + $0 * $0).squareRoot() }
        }
        guard let known else { return solution }
        let position = WGS84.position(of: known.coordinate, height: pvt.ellipsoidalAltitude)
        (solution.x, solution.y, solution.z) = (position.x, position.y, position.z)
        let velocity = WGS84.vector(
            east: pvt.velocityEast, north: pvt.velocityNorth, up: -pvt.velocityDown,
            at: known.coordinate)
        (solution.velocityX, solution.velocityY, solution.velocityZ) =
            (velocity.x, velocity.y, velocity.z)
        return solution
    }
}
