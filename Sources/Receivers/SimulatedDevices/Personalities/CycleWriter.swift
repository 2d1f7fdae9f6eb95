// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Writes an epoch's sentences in the style of a personality.
struct CycleWriter: Sendable {
    var personality: Personality
    var writer = SentenceWriter()
    private var nextView = 0.0

    init(_ personality: Personality) {
        self.personality = personality
        writer.decimals = personality.decimals
        writer.isExact = false
    }

    /// The bytes of all sentences written since the last `removeAll`.
    var bytes: [UInt8] { writer.bytes }

    /// Discards all written sentences.
    mutating func removeAll() { writer.removeAll() }

    /// Writes the sentences sent after power-on.
    mutating func writeStartUp() {
        for body in personality.startUp { writer.write(body: body) }
    }

    /// Writes the cycle of an epoch, `seconds` after the first epoch. Omits sentences for which
    /// `isDue` returns `false`, and GSV until the personality's `viewPeriod` has passed since the
    /// last list.
    mutating func write(
        _ observation: SimulatedObservation, after seconds: Double, _ isDue: (CycleSentence) -> Bool
    ) {
        // The margin of 1 µs allows for rounding errors of `seconds`.
        let listsView = seconds >= nextView - 1e-6
        if listsView { nextView = seconds + personality.viewPeriod }
        writer.writesUnits = observation.solution != nil || personality.writesUnitsWithoutFix
        for sentence in personality.cycle where (sentence != .gsv || listsView) && isDue(sentence) {
            write(sentence, observation, after: seconds)
        }
    }

    private mutating func write(
        _ sentence: CycleSentence, _ observation: SimulatedObservation, after seconds: Double
    ) {
        switch sentence {
        case .gga: write(gga(observation), as: sentence)
        case .gns: write(gns(observation), as: sentence)
        case .gll: write(gll(observation), as: sentence)
        case .rmc: write(rmc(observation), as: sentence)
        case .vtg: write(vtg(observation), as: sentence)
        case .gst: write(gst(observation), as: sentence)
        case .gbs: write(gbs(observation), as: sentence)
        case .zda: write(zda(observation), as: sentence)
        case .gsa: for gsa in satellitesUsed(observation) { write(gsa, as: sentence) }
        case .gsv:
            for (talker, gsv) in satellitesInView(observation) { writer.write(gsv, talker: talker) }
        case .pubx00: writer.write(pubx00(observation))
        case .pgrme: writer.write(pgrme(observation))
        case .pgrmz: writer.write(pgrmz(observation))
        case .pgrmm: writer.write(pgrmm())
        case .ptnlGGK: writer.write(ptnlGGK(observation))
        case .hdg: write(hdg(observation, after: seconds), as: sentence)
        case .ths: write(ths(observation, after: seconds), as: sentence)
        }
    }

    private mutating func write(_ sentence: some Sentence, as kind: CycleSentence) {
        writer.write(
            sentence, talker: personality.talker(of: kind),
            fieldCount: personality.version.fieldCount(of: kind))
    }

    /// Returns a DOP, at least 0.01. For `nil` or 50 and more, returns the personality's value
    /// for an unknown DOP.
    func dilution(_ value: Double?) -> Double? {
        if let value, value < 50 { max(0.01, value) } else { personality.unknownDilution }
    }
}

extension Personality.Version {
    /// Returns the number of fields of a sentence in this version of NMEA 0183. Returns `nil` if
    /// all versions have the same fields, or if the writer omits an unknown last field.
    fileprivate func fieldCount(of sentence: CycleSentence) -> Int? {
        let mode = self >= .v2_3 ? 1 : 0
        let status = self >= .v4_10 ? 1 : 0
        return switch sentence {
        case .rmc: 11 + mode + status
        case .gll: 6 + mode
        case .vtg: 8 + mode
        case .gns: 12 + status
        case .gbs: 8 + 2 * status
        default: nil
        }
    }
}

extension CycleWriter {
    /// The simulated true wind: the direction from which it blows in degrees true, and the speed in
    /// metres per second.
    private static let wind = (direction: 240.0, speed: 7.0)

    /// Writes the sentences of instruments, `seconds` after the first epoch.
    mutating func write(
        _ instruments: Set<SimulatedInstrument>, _ observation: SimulatedObservation,
        after seconds: Double
    ) {
        for instrument in SimulatedInstrument.allCases where instruments.contains(instrument) {
            switch instrument {
            case .compass:
                writer.write(hdg(observation, after: seconds), talker: Talker(rawValue: "HC"))
            case .wind: writeWind(observation.truth.state)
            case .depth: writeDepth(after: seconds)
            }
        }
    }

    /// Writes the apparent wind (MWV) and the true wind (MWD).
    private mutating func writeWind(_ state: TrueState) {
        let (wind, bow) = (Self.wind, state.course ?? 0)
        let (windEast, windNorth) = PortableMath.sinCos((wind.direction + 180).radians)
        let (east, north) = PortableMath.sinCos(bow.radians)
        let x = wind.speed * windEast - state.speed * east
        let y = wind.speed * windNorth - state.speed * north
        var aboard = MWV()
        let origin = PortableMath.atan2(0 - x, 0 - y).degrees
        aboard.angle = Self.tenths((origin - bow).wrappedDegrees).wrappedDegrees
        aboard.reference = UInt8(ascii: "R")
        aboard.speed = Self.tenths((x * x + y * y).squareRoot())
        (aboard.unit, aboard.status) = (UInt8(ascii: "M"), UInt8(ascii: "A"))
        writer.write(aboard, talker: Talker(rawValue: "WI"))
        var truth = MWD()
        truth.trueDirection = wind.direction
        truth.speedKnots = Self.tenths(wind.speed * 3600 / 1852)
        truth.speedMetresPerSecond = wind.speed
        writer.write(truth, talker: Talker(rawValue: "WI"))
    }

    /// Writes a depth between 8 and 16 m (DPT) and a constant water temperature (MTW).
    private mutating func writeDepth(after seconds: Double) {
        let turns = (seconds / 120).truncatingRemainder(dividingBy: 1)
        var depth = DPT()
        depth.depth = Self.tenths(12 + 4 * PortableMath.sin(turns * 2 * .pi))
        depth.offset = -1.2
        writer.write(depth, talker: Talker(rawValue: "SD"))
        var water = MTW()
        water.temperature = 17.5
        writer.write(water, talker: Talker(rawValue: "YX"))
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

extension CycleWriter {
    /// The simulated magnetic variation in degrees, positive to the east. It does not depend on the
    /// position.
    private static let variation = 4.0

    /// Returns HDG with the magnetic heading and the variation.
    private func hdg(_ observation: SimulatedObservation, after seconds: Double) -> HDG {
        var hdg = HDG()
        let heading = heading(observation, after: seconds) - Self.variation
        hdg.sensorHeading = heading.wrappedDegrees
        hdg.variation = Self.variation
        return hdg
    }

    /// Returns THS with the true heading and mode `S` (simulated).
    private func ths(_ observation: SimulatedObservation, after seconds: Double) -> THS {
        var ths = THS()
        ths.heading = heading(observation, after: seconds)
        ths.mode = UInt8(ascii: "S")
        return ths
    }

    /// Returns the true heading in degrees, rounded to 0.1°. It oscillates around the course (north
    /// at rest) by ±2° with a period of 8 s.
    private func heading(_ observation: SimulatedObservation, after seconds: Double) -> Double {
        let turns = (seconds / 8).truncatingRemainder(dividingBy: 1)
        let heading = (observation.truth.state.course ?? 0) + 2 * PortableMath.sin(turns * 2 * .pi)
        return ((heading * 10).rounded() / 10).wrappedDegrees
    }
}

extension CycleWriter {
    /// The sentences whose mode letter says that a fix is simulated.
    private static let labelled: [CycleSentence] = [.rmc, .gns, .gll, .vtg]

    /// Returns GGA. The quality is 8 (simulated) with a fix, and 0 without. With RTK, it is float or
    /// fixed if another sentence says that the fix is simulated.
    func gga(_ observation: SimulatedObservation) -> GGA {
        let solution = observation.solution
        var gga = GGA()
        gga.time = observation.time?.time
        gga.coordinate = solution?.coordinate
        gga.quality = solution == nil ? .invalid : .simulated
        if let corrections = solution?.corrections,
            personality.cycle.contains(where: Self.labelled.contains)
        {
            gga.quality = corrections.isFixed ? .rtkFixed : .rtkFloat
        }
        gga.satellites =
            solution == nil ? 0 : min(observation.used.count, personality.maximumSatelliteCount)
        gga.hdop = dilution(solution?.dilution.hdop)
        gga.altitude = solution?.altitude
        gga.geoidSeparation = solution?.geoidSeparation
        gga.correctionAge = solution?.corrections.map { ($0.age * 10).rounded() / 10 }
        gga.station = solution?.corrections?.station
        return gga
    }

    /// Returns GNS. The mode is `S` (simulated) for each constellation that the fix uses.
    private func gns(_ observation: SimulatedObservation) -> GNS {
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

    private func gll(_ observation: SimulatedObservation) -> GLL {
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

    private func vtg(_ observation: SimulatedObservation) -> VTG {
        let solution = observation.solution
        var vtg = VTG()
        vtg.course = solution?.course
        vtg.speedKnots = Knots.knots(metresPerSecond: solution?.speed)
        vtg.speedKilometresPerHour = solution.map { $0.speed * 3.6 }
        vtg.mode = observation.mode
        return vtg
    }

    private func zda(_ observation: SimulatedObservation) -> ZDA {
        var zda = ZDA()
        zda.time = observation.time?.time
        zda.date = observation.time?.date
        zda.zoneHours = 0
        zda.zoneMinutes = 0
        return zda
    }

    private func gst(_ observation: SimulatedObservation) -> GST {
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

    private func gbs(_ observation: SimulatedObservation) -> GBS {
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

extension CycleWriter {
    /// Returns u-blox's position sentence (`PUBX,00`).
    private func pubx00(_ observation: SimulatedObservation) -> PUBX00 {
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
    private func pgrme(_ observation: SimulatedObservation) -> PGRME {
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
    private func pgrmz(_ observation: SimulatedObservation) -> PGRMZ {
        var pgrmz = PGRMZ()
        pgrmz.altitudeFeet = observation.solution.map { $0.altitude / 0.3048 }
        pgrmz.fix = observation.solution?.mode ?? .noFix
        return pgrmz
    }

    /// Returns Garmin's datum sentence (PGRMM).
    private func pgrmm() -> PGRMM {
        var pgrmm = PGRMM()
        pgrmm.datum = "WGS 84"
        return pgrmm
    }

    /// Returns Trimble's position sentence (`PTNL,GGK`). Its altitude is above the ellipsoid.
    private func ptnlGGK(_ observation: SimulatedObservation) -> PTNLGGK {
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

extension CycleWriter {
    /// Returns GSA sentences with the satellites used. Each constellation has its own sentences,
    /// with at most twelve satellites each.
    func satellitesUsed(_ observation: SimulatedObservation) -> [GSA] {
        let used = observation.used
        return systems.flatMap { system in
            let numbers = used.filter { system.lists($0.id) }
                .compactMap { personality.number(of: $0.id) }
            return stride(from: 0, to: max(1, numbers.count), by: 12).map { start in
                gsa(observation, numbers.dropFirst(start).prefix(12), system)
            }
        }
    }

    private func gsa(
        _ observation: SimulatedObservation, _ numbers: ArraySlice<Int>, _ system: System
    ) -> GSA {
        let solution = observation.solution
        var gsa = GSA()
        gsa.selection = UInt8(ascii: "A")
        gsa.fix = solution?.mode ?? .noFix
        if solution != nil { gsa.satellites = SatelliteNumbers(numbers) }
        gsa.pdop = dilution(solution?.dilution.pdop)
        gsa.hdop = dilution(solution?.dilution.hdop)
        gsa.vdop = dilution(solution?.dilution.vdop)
        if personality.version >= .v4_10 { gsa.systemID = system.id }
        return gsa
    }

    /// Returns GSV sentences with the satellites in view, with their talkers. Each signal of each
    /// constellation has its own set of sentences.
    func satellitesInView(_ observation: SimulatedObservation) -> [(Talker, GSV)] {
        systems.flatMap { system in
            let inView = observation.satellites.filter {
                system.lists($0.id) && personality.number(of: $0.id) != nil
            }
            let talker = personality.talker(of: system.constellation)
            return personality.signals(of: system.constellation).enumerated().flatMap {
                index, signal -> [(Talker, GSV)] in
                // List satellites that are not tracked with the main signal only.
                let listed =
                    index == 0
                    ? inView : inView.filter { $0.signals.contains { $0.signal == signal } }
                guard index == 0 || !listed.isEmpty else { return [] }
                return gsvSet(listed, signal).map { (talker, $0) }
            }
        }
    }

    private func gsvSet(_ satellites: [ObservedSatellite], _ signal: UInt8) -> [GSV] {
        let total = max(1, (satellites.count + 3) / 4)
        let signalID = satellites.isEmpty ? 0 : signal
        return (0..<total).map { part in
            GSV(
                total: total, part: part + 1, inView: satellites.count,
                entries: satellites.dropFirst(4 * part).prefix(4).compactMap { entry($0, signal) },
                signalID: personality.version >= .v4_10 ? signalID : nil)
        }
    }

    private func entry(_ satellite: ObservedSatellite, _ signal: UInt8) -> GSV.Entry? {
        guard let number = personality.number(of: satellite.id) else { return nil }
        let tracked = satellite.signals.first { $0.signal == signal }
        return GSV.Entry(
            number: number, elevation: satellite.elevation, azimuth: satellite.azimuth,
            cn0: tracked.map { min(99, max(1, $0.cn0)) })
    }

    /// A constellation with its own GSA and GSV sentences. SBAS satellites are listed with GPS.
    private struct System {
        var constellation: Constellation
        /// The NMEA 4.10 system ID.
        var id: UInt8

        func lists(_ id: SatelliteID) -> Bool {
            id.constellation == constellation
                || (constellation == .gps && id.constellation == .sbas)
        }
    }

    private var systems: [System] {
        personality.constellations.compactMap { constellation in
            constellation.systemID.map { System(constellation: constellation, id: $0) }
        }
    }
}
