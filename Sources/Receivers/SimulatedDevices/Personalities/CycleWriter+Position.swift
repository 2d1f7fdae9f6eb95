// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension CycleWriter {
    /// Returns GGA. The quality is 8 (simulated) with a fix, and 0 without.
    func gga(_ observation: SimulatedObservation) -> GGA {
        let solution = observation.solution
        var gga = GGA()
        gga.time = observation.time?.time
        gga.coordinate = solution?.coordinate
        gga.quality = solution == nil ? .invalid : .simulated
        gga.satellites =
            solution == nil ? 0 : min(observation.used.count, personality.maximumSatelliteCount)
        gga.hdop = dilution(solution?.dilution.hdop)
        gga.altitude = solution?.altitude
        gga.geoidSeparation = solution?.geoidSeparation
        return gga
    }

    /// Returns GNS. The mode is `S` (simulated) for each constellation that the fix uses.
    func gns(_ observation: SimulatedObservation) -> GNS {
        let solution = observation.solution
        let used = Set(observation.used.map(\.id.constellation))
        let order = ModeIndicators.order.prefix(personality.version >= .v4_11 ? 6 : 4)
        var gns = GNS()
        gns.time = observation.time?.time
        gns.coordinate = solution?.coordinate
        gns.modes = ModeIndicators(
            order.map { solution != nil && used.contains($0) ? .simulated : .invalid })
        gns.satellites = solution == nil ? 0 : observation.used.count
        gns.hdop = dilution(solution?.dilution.hdop)
        gns.altitude = solution?.altitude
        gns.geoidSeparation = solution?.geoidSeparation
        gns.navigationStatus = Self.navigationStatus
        return gns
    }

    func gll(_ observation: SimulatedObservation) -> GLL {
        var gll = GLL()
        gll.coordinate = observation.solution?.coordinate
        gll.time = observation.time?.time
        gll.status = observation.status
        gll.mode = observation.mode
        return gll
    }

    func rmc(_ observation: SimulatedObservation) -> RMC {
        let solution = observation.solution
        var rmc = RMC()
        rmc.time = observation.time?.time
        rmc.status = observation.status
        rmc.coordinate = solution?.coordinate
        rmc.speedKnots = Knots.knots(metresPerSecond: solution?.speed)
        rmc.course = solution?.course
        rmc.date = observation.time?.date
        rmc.mode = observation.mode
        rmc.navigationStatus = Self.navigationStatus
        return rmc
    }

    func vtg(_ observation: SimulatedObservation) -> VTG {
        let solution = observation.solution
        var vtg = VTG()
        vtg.course = solution?.course
        vtg.speedKnots = Knots.knots(metresPerSecond: solution?.speed)
        vtg.speedKilometresPerHour = solution.map { $0.speed * 3.6 }
        vtg.mode = observation.mode
        return vtg
    }

    func zda(_ observation: SimulatedObservation) -> ZDA {
        var zda = ZDA()
        zda.time = observation.time?.time
        zda.date = observation.time?.date
        zda.zoneHours = 0
        zda.zoneMinutes = 0
        return zda
    }

    func gst(_ observation: SimulatedObservation) -> GST {
        let deviations = observation.solution?.deviations
        var gst = GST()
        gst.time = observation.time?.time
        gst.rangeResidual = deviations?.range
        gst.semiMajor = deviations?.semiMajor
        gst.semiMinor = deviations?.semiMinor
        gst.orientation = deviations?.orientation
        gst.latitudeError = deviations?.north
        gst.longitudeError = deviations?.east
        gst.altitudeError = deviations?.up
        return gst
    }

    func gbs(_ observation: SimulatedObservation) -> GBS {
        let deviations = observation.solution?.deviations
        var gbs = GBS()
        gbs.time = observation.time?.time
        gbs.latitudeError = deviations?.north
        gbs.longitudeError = deviations?.east
        gbs.altitudeError = deviations?.up
        return gbs
    }

    /// The navigational status "not provided".
    private static let navigationStatus = UInt8(ascii: "V")
}

extension SimulatedObservation {
    /// The satellites that the solution uses.
    var used: [ObservedSatellite] { satellites.filter(\.isUsed) }

    /// The status field of RMC and GLL: `A` with a fix, `V` without.
    fileprivate var status: UInt8 { UInt8(ascii: solution == nil ? "V" : "A") }

    /// The mode indicator: simulated (`S`) with a fix, invalid (`N`) without.
    fileprivate var mode: FixQuality { solution == nil ? .invalid : .simulated }
}
