// SPDX-License-Identifier: MIT
import GNSS

extension CycleWriter {
    /// GGA: quality 8 wherever there is a fix, and it cannot be set.
    mutating func writeGGA(_ observation: Observation, _ used: Int) {
        let solution = observation.solution
        time(observation)
        wire.coordinate(solution?.coordinate, decimals.minutes)
        wire.integer(solution == nil ? 0 : 8)
        wire.integer(solution == nil ? 0 : min(used, personality.mostCounted), width: 2)
        dilution(solution?.dilution.hdop)
        wire.fixed(solution?.altitude, decimals.altitude)
        unit("M", of: solution)
        wire.fixed(solution?.geoidSeparation, 1)
        unit("M", of: solution)
        wire.empty(2)
    }

    /// GNS: mode `S` for each constellation that the fix uses.
    mutating func writeGNS(_ observation: Observation, _ used: [ObservedSatellite]) {
        let solution = observation.solution
        let order: [Constellation] = [.gps, .glonass, .galileo, .beiDou, .qzss, .navIC]
        time(observation)
        wire.coordinate(solution?.coordinate, decimals.minutes)
        wire.text(
            String(
                order.prefix(personality.version >= .v4_11 ? 6 : 4).map { constellation in
                    let isUsed = used.contains { $0.id.constellation == constellation }
                    return isUsed && solution != nil ? "S" : "N"
                }))
        wire.integer(solution == nil ? 0 : used.count, width: 2)
        dilution(solution?.dilution.hdop)
        wire.fixed(solution?.altitude, decimals.altitude)
        wire.fixed(solution?.geoidSeparation, 1)
        wire.empty(2)
        navigationStatus()
    }

    mutating func writeGLL(_ observation: Observation) {
        wire.coordinate(observation.solution?.coordinate, decimals.minutes)
        time(observation)
        status(observation)
        mode(observation)
    }

    mutating func writeRMC(_ observation: Observation) {
        let solution = observation.solution
        time(observation)
        status(observation)
        wire.coordinate(solution?.coordinate, decimals.minutes)
        wire.fixed(solution.map { $0.speed * 3600 / 1852 }, decimals.speed)
        course(solution)
        wire.date(observation.time?.date)
        wire.empty(2)
        mode(observation)
        navigationStatus()
    }

    mutating func writeVTG(_ observation: Observation) {
        let solution = observation.solution
        course(solution)
        unit("T", of: solution)
        wire.empty()
        unit("M", of: solution)
        wire.fixed(solution.map { $0.speed * 3600 / 1852 }, decimals.speed)
        unit("N", of: solution)
        wire.fixed(solution.map { $0.speed * 3.6 }, decimals.speed)
        unit("K", of: solution)
        mode(observation)
    }

    mutating func writeZDA(_ observation: Observation) {
        time(observation)
        wire.integer(observation.time?.date.day, width: 2)
        wire.integer(observation.time?.date.month, width: 2)
        wire.integer(observation.time?.date.year, width: 4)
        wire.text("00")
        wire.text("00")
    }

    // MARK: Errors

    mutating func writeGST(_ observation: Observation) {
        let deviations = observation.solution?.deviations
        time(observation)
        wire.fixed(deviations?.range, decimals.deviation)
        wire.fixed(deviations?.semiMajor, decimals.deviation)
        wire.fixed(deviations?.semiMinor, decimals.deviation)
        wire.fixed(deviations?.orientation, 1)
        wire.fixed(deviations?.north, decimals.deviation)
        wire.fixed(deviations?.east, decimals.deviation)
        wire.fixed(deviations?.up, decimals.deviation)
    }

    mutating func writeGBS(_ observation: Observation) {
        let deviations = observation.solution?.deviations
        time(observation)
        wire.fixed(deviations?.north, decimals.deviation)
        wire.fixed(deviations?.east, decimals.deviation)
        wire.fixed(deviations?.up, decimals.deviation)
        wire.empty(personality.version >= .v4_10 ? 6 : 4)
    }

    /// A course that rounds to 360 is 0.
    mutating func course(_ solution: Solution?) {
        let least = 0.5 / Double(WireWriter.power(decimals.course))
        wire.fixed(solution?.course.map { $0 >= 360 - least ? 0 : $0 }, decimals.course)
    }
}
