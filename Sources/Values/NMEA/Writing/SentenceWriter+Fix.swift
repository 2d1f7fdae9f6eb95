// SPDX-License-Identifier: MIT
public import GNSS

// Fixes and views that do not come from sentences are written in the way of common receivers: as
// NMEA 4.10, with the talker GN for a fix.
extension SentenceWriter {
    /// Writes a fix as ZDA, GGA, GSA and RMC, and as GST if standard deviations are known.
    ///
    /// gpsd ends an epoch at the last sentence with a time, and gpsbabel at RMC, so both would give
    /// a position the time of another fix if RMC came first. ZDA gives the date to programs that
    /// use a position before RMC. It is written for each fix, also with null fields, so that it
    /// never belongs to the previous one. Without a date, gpsd ignores the time in RMC, so GLL
    /// follows.
    ///
    /// Missing values become null fields. An unknown number of satellites becomes 00, because
    /// readers such as gpsd need a number. Minutes of positions have eight decimals, and speeds in
    /// knots four. Therefore, reading restores positions to a billionth of a degree and speeds to 1
    /// mm/s.
    ///
    /// - Parameters:
    ///   - fix: The fix to write.
    ///   - used: The satellites that the fix uses, if known.
    public mutating func write(_ fix: Fix, used: SatelliteIDSet = SatelliteIDSet()) {
        let usual = decimals
        decimals.minutes = 8
        decimals.speed = 4
        decimals.course = 4
        decimals.altitude = 3
        write(zda(fix))
        write(gga(fix))
        for gsa in gsas(fix, used) { write(gsa) }
        decimals.deviation = 3
        if let gst = gst(fix) { write(gst) }
        let rmc = rmc(fix)
        // pynmea2 takes a navigational status of V (not provided) for an invalid position, so that
        // field is omitted.
        write(rmc, fieldCount: 12)
        if rmc.date == nil, rmc.time != nil { write(gll(rmc)) }
        decimals = usual
    }

    private func rmc(_ fix: Fix) -> RMC {
        var rmc = RMC()
        rmc.time = fix.timeOfDay ?? fix.time?.time
        rmc.status = UInt8(ascii: fix.coordinate == nil ? "V" : "A")
        rmc.coordinate = fix.coordinate
        rmc.speedKnots = Knots.knots(metresPerSecond: fix.speed)
        rmc.course = fix.course
        rmc.date = fix.time?.date
        rmc.magneticVariation = fix.magneticVariation
        rmc.mode = fix.coordinate == nil ? .invalid : fix.quality
        return rmc
    }

    private func gll(_ rmc: RMC) -> GLL {
        var gll = GLL()
        (gll.coordinate, gll.time) = (rmc.coordinate, rmc.time)
        (gll.status, gll.mode) = (rmc.status, rmc.mode)
        return gll
    }

    private func zda(_ fix: Fix) -> ZDA {
        var zda = ZDA()
        zda.time = fix.timeOfDay ?? fix.time?.time
        zda.date = fix.time?.date
        return zda
    }

    private func gga(_ fix: Fix) -> GGA {
        var gga = GGA()
        gga.time = fix.timeOfDay ?? fix.time?.time
        gga.coordinate = fix.coordinate
        gga.quality = fix.coordinate == nil ? .invalid : fix.quality
        // Dead reckoning and an entered position use no satellites, so 00 would not be unknown.
        let usesNone = fix.quality == .estimated || fix.quality == .manual
        gga.satellites = fix.satellitesUsed ?? (usesNone ? nil : 0)
        // 00 beside a DOP would be a receiver without satellites. GSA has the DOP, too.
        if usesNone || fix.satellitesUsed != nil { gga.hdop = fix.dilution.hdop }
        gga.altitude = fix.altitude
        gga.geoidSeparation = fix.geoidSeparation
        gga.correctionAge = fix.correctionAge
        gga.station = fix.correctionStation
        return gga
    }

    /// Returns one GSA for each constellation in use, or a single one without satellites.
    private func gsas(_ fix: Fix, _ used: SatelliteIDSet) -> [GSA] {
        var common = GSA()
        common.selection = UInt8(ascii: "A")
        common.fix = fix.coordinate == nil ? .noFix : fix.mode
        common.pdop = fix.dilution.pdop
        common.hdop = fix.dilution.hdop
        common.vdop = fix.dilution.vdop
        let lists = Constellation.allCases.compactMap { constellation -> GSA? in
            guard let systemID = constellation.systemID else { return nil }
            let numbers = (1...255).lazy.compactMap { SatelliteID(constellation, $0) }
                .filter { used.contains($0) }.map(\.listedNumber)
            guard !numbers.isEmpty else { return nil }
            var gsa = common
            gsa.satellites = SatelliteNumbers(numbers.prefix(12))
            gsa.systemID = systemID
            return gsa
        }
        return lists.isEmpty ? [common] : lists
    }

    private func gst(_ fix: Fix) -> GST? {
        let sigma = fix.standardDeviation
        guard sigma.horizontal != nil || sigma.altitude != nil else { return nil }
        var gst = GST()
        gst.time = fix.timeOfDay ?? fix.time?.time
        gst.rangeResidual = sigma.range
        gst.semiMajor = sigma.semiMajor
        gst.semiMinor = sigma.semiMinor
        gst.orientation = sigma.orientation
        gst.latitudeError = sigma.latitude
        gst.longitudeError = sigma.longitude
        gst.altitudeError = sigma.altitude
        return gst
    }

    /// Writes the satellites in view as GSV, in one set for each constellation. SBAS is listed with
    /// GPS.
    public mutating func write(_ view: SatelliteView) {
        let satellites = view.satellites
        for constellation in Constellation.bySystemID {
            let talker = constellation.talker
            let listed = satellites.filter { $0.id.constellation.talker == talker }
            let total = (listed.count + 3) / 4
            for part in 0..<total {
                let entries = listed.dropFirst(4 * part).prefix(4).map {
                    GSV.Entry(
                        number: $0.id.listedNumber, elevation: $0.elevation, azimuth: $0.azimuth,
                        cn0: $0.cn0)
                }
                write(
                    GSV(total: total, part: part + 1, inView: listed.count, entries: entries),
                    talker: Talker(rawValue: talker))
            }
        }
    }
}
