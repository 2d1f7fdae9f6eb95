// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The state of a u-blox chip at an epoch. Its properties are the UBX messages for that epoch.
struct UBXEpoch: Sendable {
    let chip: UBXChip
    let observation: SimulatedObservation
    /// The time since the first epoch in seconds. A restart of the receiver does not reset it.
    let seconds: Double
    /// The time of week in milliseconds (`iTOW`). Until the receiver knows the time, it is the time
    /// since the first epoch.
    let timeOfWeek: UInt32
    /// The last solution before this epoch, and its age in seconds; `nil` before the first fix.
    let lastSolution: (solution: Solution, age: Double)?
    /// The time from the first epoch to the first fix in seconds; `nil` before the first fix.
    let firstFix: Double?
    /// The jamming and spoofing that the chip reports.
    let disturbances: Disturbances
    /// The messages of Galileo's satellites if they are signed; otherwise `nil`.
    let signedMessages: [UInt8: RxmSFRBX]?
    /// The standard deviation of the velocity error in each direction, in metres per second.
    let velocityDeviation: Double

    var solution: Solution? { observation.solution }

    /// The solution of this epoch or, without a fix, the last one.
    var known: Solution? { solution ?? lastSolution?.solution }

    /// Returns the frame of a message; empty if no simulated chip can send it.
    func frame(_ id: UBXMessageID) -> [UInt8] {
        // In generation 7, the message ends after `flags3` and its reserved bytes (84 bytes).
        if id == NavPVT.id, !chip.hasLongPVT {
            return UBXFrame.bytes(id, payload: Array(pvt.payload.prefix(84)))
        }
        return Self.table.first { $0.id == id }?.frame(self) ?? []
    }

    /// The messages that simulated chips can send, in the usual order.
    static let messages = table.map(\.id)

    private typealias Entry = (id: UBXMessageID, frame: @Sendable (UBXEpoch) -> [UInt8])

    private static let table: [Entry] =
        [entry(\.posllh), entry(\.status), entry(\.dop), entry(\.sol), entry(\.pvt)]
        + [entry(\.velned), entry(\.timeUTC), entry(\.hpposllh), entry(\.sat), entry(\.sig)]
        + [entry(\.svinfo), entry(\.cov), entry(\.pl), entry(\.eoe), entry(\.hw), entry(\.rf)]
        + [entry(\.timeGAL), entry(\.sys), entry(\.secSIG), entry(\.secOSNMA)]
        + [entry(\.relposned)]
        + [(RxmSFRBX.id, { @Sendable in $0.navigationMessages })]

    private static func entry<Message: UBXMessage>(
        _ message: any KeyPath<UBXEpoch, Message> & Sendable
    ) -> Entry {
        (Message.id, { $0[keyPath: message].frame })
    }

    /// Galileo's time. Its weeks began 1024 weeks after those of GPS.
    private var timeGAL: NavTIMEGAL {
        var time = NavTIMEGAL()
        time.timeOfWeekMilliseconds = timeOfWeek
        guard let now = observation.time.flatMap({ GPSTime($0) }),
            let week = Int16(exactly: now.week - 1024)
        else { return time }
        (time.week, time.timeOfWeek) = (week, UInt32(now.seconds % 604_800))
        time.validity = 7
        return time
    }

    /// The chip's own check of signatures is off.
    private var secOSNMA: SecOSNMA { SecOSNMA() }

    private var eoe: NavEOE {
        var eoe = NavEOE()
        eoe.timeOfWeekMilliseconds = timeOfWeek
        return eoe
    }
}

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

    private var dop: NavDOP {
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
    private func limited(_ dilution: Double?) -> Double? {
        guard let dilution, dilution.isFinite else { return nil }
        return dilution < 99.985 ? max(0.01, dilution) : nil
    }

    /// The covariances of position and velocity. Covariances between the vertical and the
    /// horizontal components are 0.
    private var cov: NavCOV {
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
    private var pl: NavPL {
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

// The parts of a solution as messages of their own, which u-blox 6 sends instead of `NAV-PVT`. Their
// values are those of `pvt`.

extension UBXEpoch {
    private var posllh: NavPOSLLH {
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

    private var velned: NavVELNED {
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

    private var timeUTC: NavTIMEUTC {
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
    private var sol: NavSOL {
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

extension UBXEpoch {
    /// Position, velocity and time. As with real receivers, it contains the last position without a
    /// fix, and 0° N 0° E before the first fix.
    var pvt: NavPVT {
        var pvt = NavPVT()
        pvt.timeOfWeekMilliseconds = timeOfWeek
        setTime(&pvt)
        pvt.fixType = fixType
        pvt.flags = .init(rawValue: solution == nil ? 0 : 1)
        if let corrections = solution?.corrections {
            // Differential, and the state of the ambiguities.
            pvt.flags.rawValue |= corrections.isFixed ? 0x82 : 0x42
            let ages: [Double] = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120]
            let age = UInt16(1 + ages.count { $0 <= corrections.age })
            pvt.moreFlags = .init(rawValue: age << 1)
        }
        pvt.satellitesUsed = UInt8(clamping: solution == nil ? 0 : observation.used.count)
        // Before the first fix: minus the height of mean sea level above the ellipsoid at 0° N 0°
        // E.
        pvt.altitude = -17
        if let known {
            pvt.latitude = known.coordinate.latitude
            pvt.longitude = known.coordinate.longitude
            pvt.altitude = known.altitude
            pvt.ellipsoidalAltitude = known.altitude + known.geoidSeparation
        } else if chip.hasLongPVT {
            pvt.moreFlags = .init(rawValue: 1)
        }
        pvt.horizontalAccuracy = horizontalAccuracy
        pvt.verticalAccuracy = verticalAccuracy
        setVelocity(&pvt)
        pvt.positionDilution = limited(solution?.dilution.pdop)
        return pvt
    }

    private func setTime(_ pvt: inout NavPVT) {
        guard let time = observation.time ?? timeAtStart else { return }
        pvt.year = UInt16(clamping: time.date.year)
        pvt.month = UInt8(clamping: time.date.month)
        pvt.day = UInt8(clamping: time.date.day)
        pvt.hour = UInt8(clamping: time.time.hour)
        pvt.minute = UInt8(clamping: time.time.minute)
        pvt.second = UInt8(clamping: time.time.second)
        pvt.nanoseconds = Int32(clamping: time.time.nanoseconds % 1_000_000_000)
        let isKnown = observation.time != nil
        pvt.validity = .init(rawValue: isKnown ? 0b111 : 0)
        pvt.confirmation = .init(rawValue: chip.confirmsTime ? isKnown ? 0b1110_0000 : 0x20 : 0)
        // 5 s is more than 32 bits of nanoseconds, and is therefore written as unknown.
        pvt.timeAccuracy = isKnown ? (solution.map { timeAccuracy($0) } ?? 1e-6) : 5
    }

    /// The time that real receivers send, marked as invalid, until they know the time. Their clock
    /// starts at the beginning of a GPS week, 2015-10-17T23:59:43Z.
    private var timeAtStart: UTCTime? {
        let start: Int64 = 1_445_126_383_000_000_000
        return UTCTime(unixNanoseconds: start + Int64((min(seconds, 3e9) * 1e9).rounded()))
    }

    /// Returns the accuracy of the time in seconds, computed from the TDOP and the accuracy of the
    /// ranges.
    private func timeAccuracy(_ solution: Solution) -> Double {
        20e-9 + solution.dilution.tdop * solution.deviations.range / 299_792_458
    }

    private func setVelocity(_ pvt: inout NavPVT) {
        // At rest or without a fix, keep the last course.
        pvt.course = solution?.course ?? lastSolution?.solution.course ?? 0
        guard let solution else {
            pvt.speedAccuracy = 20
            pvt.courseAccuracy = 180
            return
        }
        let (sine, cosine) = PortableMath.sinCos(pvt.course.radians)
        pvt.velocityNorth = solution.speed * cosine
        pvt.velocityEast = solution.speed * sine
        pvt.velocityDown = -solution.climb
        pvt.groundSpeed = solution.speed
        pvt.speedAccuracy = velocityDeviation * 2.0.squareRoot()
        pvt.courseAccuracy =
            solution.course == nil
            ? 180 : PortableMath.atan2(pvt.speedAccuracy, solution.speed).degrees
    }

    /// The high-precision position, with a resolution of 0.1 mm. Its coarse part equals the
    /// position in `pvt`.
    private var hpposllh: NavHPPOSLLH {
        var position = NavHPPOSLLH()
        position.timeOfWeekMilliseconds = timeOfWeek
        position.flags = .init(rawValue: solution == nil ? 1 : 0)
        let coordinate = known?.coordinate
        let altitude = known?.altitude ?? -17
        (position.coarseLongitude, position.fineLongitude) = Self.parts(
            coordinate?.longitude ?? 0, coarse: 1e7, 100)
        (position.coarseLatitude, position.fineLatitude) = Self.parts(
            coordinate?.latitude ?? 0, coarse: 1e7, 100)
        (position.coarseEllipsoidalAltitude, position.fineEllipsoidalAltitude) = Self.parts(
            known.map { $0.altitude + $0.geoidSeparation } ?? 0, coarse: 1e3, 10)
        (position.coarseAltitude, position.fineAltitude) = Self.parts(altitude, coarse: 1e3, 10)
        // 10^9 m is more than 32 bits of tenths of millimetres, and is therefore written as the
        // maximum.
        position.horizontalAccuracy = horizontalAccuracy ?? 1e9
        position.verticalAccuracy = verticalAccuracy ?? 1e9
        return position
    }

    /// The vector from the base that sends corrections. Only one from a moving base gives the heading.
    private var relposned: NavRELPOSNED {
        var position = NavRELPOSNED()
        position.timeOfWeekMilliseconds = timeOfWeek
        position.flags = .init(rawValue: solution == nil ? 0 : 1)
        guard let corrections = solution?.corrections, let baseline = corrections.baseline else {
            return position
        }
        let (north, east, down) = (baseline.north, baseline.east, baseline.down)
        let length = (north * north + east * east + down * down).squareRoot()
        position.referenceStation = UInt16(clamping: corrections.station)
        (position.coarseNorth, position.fineNorth) = Self.parts(north, coarse: 100, 100)
        (position.coarseEast, position.fineEast) = Self.parts(east, coarse: 100, 100)
        (position.coarseDown, position.fineDown) = Self.parts(down, coarse: 100, 100)
        (position.coarseLength, position.fineLength) = Self.parts(length, coarse: 100, 100)
        position.heading = PortableMath.atan2(east, north).degrees.wrappedDegrees
        position.accuracyNorth = baseline.northDeviation
        position.accuracyEast = baseline.eastDeviation
        position.accuracyDown = baseline.downDeviation
        position.accuracyLength = max(baseline.northDeviation, baseline.eastDeviation)
        position.accuracyHeading =
            PortableMath.atan2(position.accuracyLength, max(0.01, length)).degrees
        // Valid, differential, and the state of the ambiguities.
        position.flags.rawValue |= corrections.isFixed ? 0b1_0110 : 0b0_1110
        if baseline.isBaseMoving {
            position.flags.rawValue |= 1 << 5 | (corrections.isFixed ? 1 << 8 : 0)
        }
        return position
    }

    private static func parts(
        _ value: Double, coarse unit: Double, _ parts: Double
    ) -> (Int32, Int8) {
        let coarse = (value * unit).rounded()
        let fine = ((value * unit - coarse) * parts).rounded()
        return (Int32(exactly: coarse) ?? 0, Int8(exactly: fine) ?? 0)
    }

    var status: NavSTATUS {
        var status = NavSTATUS()
        status.timeOfWeekMilliseconds = timeOfWeek
        status.fixType = fixType
        let hasTime: UInt8 = observation.time == nil ? 0 : 0b1100
        status.flags = .init(rawValue: hasTime | (solution == nil ? 0 : 1))
        status.detection = .init(rawValue: spoofingState.rawValue << 3)
        status.timeToFirstFix = Self.milliseconds(firstFix ?? 0)
        status.uptime = Self.milliseconds(seconds)
        return status
    }

    var fixType: UBXFixType {
        switch solution?.mode {
        case .threeD: .threeD
        case .twoD: .twoD
        default: .none
        }
    }

    static func milliseconds(_ seconds: Double) -> UInt32 {
        UInt32(exactly: (seconds * 1000).rounded()) ?? .max
    }
}

extension UBXEpoch {
    /// The state of the RF front end, as reported by chips up to M8, which have one band.
    private var hw: MonHW {
        let band = chip.bands[0]
        var hw = MonHW()
        hw.noise = noise(band)
        hw.gain = gain(band)
        hw.antenna = .ok
        hw.antennaPower = .on
        // Bit 0 means that the real-time clock is calibrated.
        hw.flags = .init(rawValue: 1 | jammingState.rawValue << 2)
        hw.continuousWave = continuousWave
        // Generation 6 reports more pins.
        if !chip.knows(NavPVT.id) { hw.virtualPins = [UInt8](repeating: 0, count: 25) }
        return hw
    }

    private var rf: MonRF {
        var rf = MonRF()
        rf.blocks = chip.bands.map { band in
            var block = MonRF.Block()
            block.number = band.number
            block.flags = chip.reportsJammingInSecSIG ? 0 : jammingState.rawValue
            block.antenna = .ok
            block.antennaPower = .on
            block.noise = noise(band)
            block.gain = gain(band)
            block.continuousWave = continuousWave
            (block.offsetI, block.magnitudeI) = (26, 163)
            (block.offsetQ, block.magnitudeQ) = (23, 163)
            return block
        }
        return rf
    }

    /// The temperature of a warm chip. The firmware of an X20P does not measure it.
    private var sys: MonSYS {
        var sys = MonSYS()
        sys.temperature = chip.reportsJammingInSecSIG ? 0 : 38
        return sys
    }

    private var secSIG: SecSIG {
        var sig = SecSIG()
        sig.isJammingDetectorOn = true
        sig.jamming = jammingState
        sig.isSpoofingDetectorOn = true
        sig.spoofing = spoofingState
        sig.frequencies = Self.frequencies.map { kilohertz in
            var frequency = SecSIG.Frequency()
            frequency.word = kilohertz | (isJammed ? 1 << 24 : 0)
            return frequency
        }
        return sig
    }

    /// The centres of an F9P's bands in kilohertz: L1, B1, G1, L2, E5b, G2.
    private static let frequencies: [UInt32] = [
        1_575_420, 1_561_098, 1_602_000, 1_227_600, 1_207_140, 1_246_000,
    ]

    /// The decrease of every C/N0 caused by a jammer, in dB.
    private var jamming: Double { max(0, disturbances.jamming) }

    /// Whether interference of 3 dB or more is detected.
    private var isJammed: Bool { jamming >= 3 }

    /// The jamming state, as if the detector were switched on. (In the factory configuration of
    /// real chips, it is switched off.)
    private var jammingState: UBXJammingState {
        guard isJammed else { return .none }
        return solution == nil ? .critical : .warning
    }

    /// The spoofing state. The fault `spoof` is not detected.
    private var spoofingState: UBXSpoofingState {
        disturbances.isSpoofingReported ? .indicated : .none
    }

    /// The jamming indicator for continuous waves (`jamInd`), 0 to 255.
    private var continuousWave: UInt8 { UInt8(exactly: min(255, 7 + 6 * jamming).rounded()) ?? 0 }

    private func noise(_ band: UBXChip.Band) -> UInt16 {
        UInt16(exactly: (Double(band.noise) * (1 + jamming / 10)).rounded()) ?? .max
    }

    /// Returns the AGC value of a band, which is reduced by jamming and strong false signals.
    private func gain(_ band: UBXChip.Band) -> UInt16 {
        let fraction = disturbances.gain ?? max(0.1, 1 - jamming / 50)
        return UInt16(exactly: (Double(band.gain) * fraction).rounded()) ?? .max
    }
}

extension UBXEpoch {
    /// All listed satellites, each with its main signal.
    private var sat: NavSAT {
        var sat = NavSAT()
        sat.timeOfWeekMilliseconds = timeOfWeek
        sat.satellites = observation.satellites.map { satellite in
            var entry = NavSAT.Satellite()
            entry.gnssID = UInt8(clamping: satellite.id.constellation.gnssID)
            entry.svid = satellite.id.svid
            entry.cn0 = Self.cn0(satellite.signals.first)
            entry.elevation = satellite.elevation
            entry.azimuth = Self.azimuth(satellite)
            entry.residual = residual(satellite)
            let isTracked = !satellite.signals.isEmpty
            var flags = UInt32(Self.quality(satellite.signals.first).rawValue)
            if satellite.isUsed { flags |= 1 << 3 }
            flags |= UInt32(UBXHealth.healthy.rawValue) << 4
            // The source of the orbit: the ephemeris for a tracked satellite, otherwise the
            // almanac.
            flags |= isTracked ? 1 << 8 | 1 << 11 | 1 << 12 : 2 << 8 | 1 << 12
            entry.flags = .init(rawValue: flags)
            return entry
        }
        return sat
    }

    /// All tracked signals.
    private var sig: NavSIG {
        var sig = NavSIG()
        sig.timeOfWeekMilliseconds = timeOfWeek
        for satellite in observation.satellites {
            let id = satellite.id
            for signal in satellite.signals {
                var entry = NavSIG.Signal()
                entry.gnssID = UInt8(clamping: id.constellation.gnssID)
                entry.svid = id.svid
                entry.signalID = UBXSignalNumber.number(of: signal.signal, id.constellation)
                entry.frequencyID = UBXSignalNumber.frequency(of: id)
                entry.residualTenths = Int16(rounding: residual(satellite) * 10)
                entry.cn0 = Self.cn0(signal)
                entry.quality = Self.quality(signal)
                entry.ionosphereModel = satellite.signals.count > 1 ? 8 : 1
                let use: UInt16 = satellite.isUsed ? 0b10_1000 : 0
                entry.flags = .init(rawValue: UInt16(UBXHealth.healthy.rawValue) | use)
                sig.signals.append(entry)
            }
        }
        return sig
    }

    /// All listed satellites, for chips up to generation 7, which receive only GPS and SBAS. The
    /// numbers are PRNs.
    private var svinfo: NavSVINFO {
        var svinfo = NavSVINFO()
        svinfo.timeOfWeekMilliseconds = timeOfWeek
        svinfo.chip = 3
        svinfo.satellites = observation.satellites.enumerated().map { index, satellite in
            var entry = NavSVINFO.Satellite()
            entry.channel = satellite.signals.isEmpty ? 255 : UInt8(clamping: index)
            entry.number = satellite.id.svid
            entry.quality = Self.quality(satellite.signals.first)
            entry.cn0 = Self.cn0(satellite.signals.first)
            entry.elevation = satellite.elevation
            entry.azimuth = Self.azimuth(satellite)
            entry.residual = residual(satellite)
            // Orbit information is available; the ephemeris only for tracked satellites.
            let ephemeris: UInt8 = satellite.signals.isEmpty ? 0 : 1 << 3
            entry.flags = .init(rawValue: 1 << 2 | ephemeris | (satellite.isUsed ? 1 : 0))
            return entry
        }
        return svinfo
    }

    private static func cn0(_ signal: ObservedSignal?) -> UInt8 {
        signal.flatMap { UInt8(exactly: min(99, max(1, $0.cn0)).rounded()) } ?? 0
    }

    private static func azimuth(_ satellite: ObservedSatellite) -> Int16 {
        Int16(exactly: satellite.azimuth.rounded().wrappedDegrees) ?? 0
    }

    private static func quality(_ signal: ObservedSignal?) -> UBXSignalQuality {
        guard let signal else { return .searching }
        return signal.cn0 < 25 ? .codeLocked : UBXSignalQuality(rawValue: 7)
    }

    /// Returns a random range residual in metres, in proportion to the range error that the
    /// receiver assumes; 0 for a satellite that is not used.
    private func residual(_ satellite: ObservedSatellite) -> Double {
        guard satellite.isUsed, let range = solution?.deviations.range else { return 0 }
        var random = SeededGenerator(
            seed: satellite.id.number << 32 | UInt64(timeOfWeek / 1000))
        return random.normal() * range / 2
    }
}

/// Converts signals and GLONASS frequencies to the numbers in UBX messages.
private enum UBXSignalNumber {
    /// The frequency channel of each GLONASS satellite, in the order of the slots 1 to 24.
    private static let channels: [Int8] = [
        1, -4, 5, 6, 1, -4, 5, 6, -2, -7, 0, -1, -2, -7, 0, -1, 4, -3, 3, 2, 4, -3, 3, 2,
    ]

    /// Returns u-blox's `sigId` for an NMEA 4.11 signal ID; 0 for the main signal of a
    /// constellation and for unknown signals.
    static func number(of signal: UInt8, _ constellation: Constellation) -> UInt8 {
        switch (constellation, signal) {
        case (.gps, 6): 3  // L2 CL
        case (.gps, 8): 7  // L5 Q
        case (.galileo, 1): 4  // E5a Q
        case (.galileo, 2): 6  // E5b Q
        case (.galileo, 5): 8  // E6 B
        case (.beiDou, 0xB): 2  // B2 I
        case (.beiDou, 3): 5  // B1 C
        case (.beiDou, 5): 7  // B2 a
        case (.beiDou, 8): 10  // B3 I
        case (.qzss, 6): 5  // L2 CL
        case (.qzss, 8): 9  // L5 Q
        case (.glonass, 3): 2  // L2
        default: 0
        }
    }

    /// Returns u-blox's `freqId`: the frequency channel plus 7 for a GLONASS satellite, otherwise
    /// 0.
    static func frequency(of id: SatelliteID) -> UInt8 {
        let index = Int(id.svid) - 1
        guard id.constellation == .glonass, channels.indices.contains(index) else { return 0 }
        return UInt8(channels[index] + 7)
    }
}
