// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The interference that a simulated receiver notices.
struct NoticedInterference {
    /// Decibels by which a jammer weakens all signals.
    var jamming = 0.0
    /// Whether its signals are false.
    var isSpoofed = false
}

/// Writes an epoch's UBX messages in the style of a personality.
///
/// UBX has no field for simulated data: every epoch has an `INF-NOTICE` with the text `SIMULATED`.
struct UBXCycleWriter: Sendable {
    private let personality: Personality
    private var nextReport = 0.0
    /// Everything written so far.
    private(set) var bytes: [UInt8] = []

    init(_ personality: Personality) {
        self.personality = personality
    }

    /// Removes everything written.
    mutating func removeAll() { bytes.removeAll() }

    /// Writes what the chip reports about itself after power-on.
    mutating func writeStartUp(seed: UInt64) {
        var version = MonVER()
        version.software = personality.chip.software
        version.hardware = personality.chip.hardware
        version.extensions = personality.chip.extensions.map {
            var line = MonVER.Extension()
            line.text = $0
            return line
        }
        bytes += version.frame
        guard let length = personality.chip.identityLength else { return }
        var identity = SecUNIQID()
        identity.version = length > 5 ? 2 : 1
        identity.identity = (0..<length).map { UInt8(truncatingIfNeeded: seed >> UInt64(8 * $0)) }
        bytes += identity.frame
    }

    /// Writes the cycle of an epoch up to its end, `seconds` after the first.
    mutating func write(
        _ observation: Observation, after seconds: Double, _ interference: NoticedInterference
    ) {
        let epoch = Epoch(observation, after: seconds)
        for message in personality.messages where message != .eoe && !message.isPeriodic {
            bytes += frame(message, epoch, interference)
        }
        bytes += UBXNotice(level: .notice, text: UBXNotice.simulated).frame
    }

    /// Writes the end of the epoch, which also follows sentences, and the messages that are sent
    /// once a second.
    mutating func writeEnd(
        _ observation: Observation, after seconds: Double, _ interference: NoticedInterference
    ) {
        let epoch = Epoch(observation, after: seconds)
        if personality.messages.contains(.eoe) { bytes += frame(.eoe, epoch, interference) }
        guard seconds >= nextReport - 1e-6 else { return }
        nextReport = seconds + 1
        for message in personality.messages where message.isPeriodic {
            bytes += frame(message, epoch, interference)
        }
    }

    /// An observation and its time of week.
    private struct Epoch {
        let observation: Observation
        let timeOfWeek: UInt32
        var solution: Solution? { observation.solution }

        init(_ observation: Observation, after seconds: Double) {
            self.observation = observation
            // Before the time is known, chips count from their start.
            let start = UInt32(truncatingIfNeeded: Int((seconds * 1000).rounded()) % 604_800_000)
            timeOfWeek = observation.time.flatMap { GPSTime($0) }?.milliseconds ?? start
        }
    }

    private func frame(
        _ message: ChipMessage, _ epoch: Epoch, _ interference: NoticedInterference
    ) -> [UInt8] {
        switch message {
        case .pvt: solution(epoch).frame
        case .shortPVT:
            UBXFrame.bytes(NavPVT.id, payload: Array(solution(epoch).payload.prefix(84)))
        case .status: status(epoch, interference).frame
        case .hpposllh: precisePosition(epoch).frame
        case .sat: satellites(epoch).frame
        case .svinfo: channels(epoch).frame
        case .sig: signals(epoch).frame
        case .dop: dilutions(epoch).frame
        case .cov: covariances(epoch).frame
        case .eoe: end(epoch).frame
        case .monHW: hardware(interference).frame
        case .monRF: radio(epoch, interference).frame
        case .secSIG: security(epoch, interference).frame
        }
    }

    // MARK: Solution

    private func solution(_ epoch: Epoch) -> NavPVT {
        var message = NavPVT()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        set(epoch.observation.time, of: &message)
        message.satellitesUsed = UInt8(clamping: epoch.observation.used.count)
        guard let solution = epoch.solution else {
            message.altitude = -17
            message.speedAccuracy = 20
            message.courseAccuracy = 180
            return message
        }
        message.fixType = solution.mode == .threeD ? .threeD : .twoD
        message.flags = NavPVT.Flags(rawValue: 1)
        message.latitude = solution.coordinate.latitude
        message.longitude = solution.coordinate.longitude
        message.altitude = solution.altitude
        message.ellipsoidalAltitude = solution.altitude + solution.geoidSeparation
        message.horizontalAccuracy = solution.deviations.horizontal
        message.verticalAccuracy = solution.deviations.up ?? 3 * solution.deviations.horizontal
        let course = solution.course ?? 0
        let (sine, cosine) = PortableMath.sinCos(course.radians)
        (message.velocityNorth, message.velocityEast) = (
            solution.speed * cosine, solution.speed * sine
        )
        message.velocityDown = -solution.climb
        (message.groundSpeed, message.course) = (solution.speed, course)
        message.speedAccuracy = Self.speedAccuracy
        message.courseAccuracy =
            solution.course == nil
            ? 180 : PortableMath.atan2(Self.speedAccuracy, solution.speed).degrees
        message.positionDilution = solution.dilution.pdop
        return message
    }

    /// Metres per second, one sigma.
    private static let speedAccuracy = 0.1

    private func set(_ time: UTCTime?, of message: inout NavPVT) {
        guard let time else {
            message.timeAccuracy = 4
            return
        }
        message.year = UInt16(clamping: time.date.year)
        message.month = UInt8(clamping: time.date.month)
        message.day = UInt8(clamping: time.date.day)
        message.hour = UInt8(clamping: time.time.hour)
        message.minute = UInt8(clamping: time.time.minute)
        message.second = UInt8(clamping: time.time.second)
        message.nanoseconds = Int32(clamping: time.time.nanosecond)
        message.validity = NavPVT.Validity(rawValue: 0b0111)
        message.confirmation = NavPVT.Confirmation(rawValue: 0b1110_0000)
        message.timeAccuracy = 30e-9
    }

    private func status(_ epoch: Epoch, _ interference: NoticedInterference) -> NavSTATUS {
        var message = NavSTATUS()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        let time: UInt8 = epoch.observation.time == nil ? 0 : 0b1100
        message.flags = NavSTATUS.Flags(rawValue: time | (epoch.solution == nil ? 0 : 1))
        message.fixType =
            epoch.solution.map { $0.mode == .threeD ? .threeD : .twoD } ?? .none
        let spoofing: UBXSpoofingState = interference.isSpoofed ? .indicated : .none
        message.detection = NavSTATUS.Detection(rawValue: spoofing.rawValue << 3)
        return message
    }

    private func precisePosition(_ epoch: Epoch) -> NavHPPOSLLH {
        var message = NavHPPOSLLH()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        guard let solution = epoch.solution else {
            message.flags = NavHPPOSLLH.Flags(rawValue: 1)
            message.horizontalAccuracy = 429_496.7295
            message.verticalAccuracy = 429_496.7295
            return message
        }
        let (latitude, fineLatitude) = Self.parts(solution.coordinate.latitude * 1e9)
        let (longitude, fineLongitude) = Self.parts(solution.coordinate.longitude * 1e9)
        (message.coarseLatitude, message.fineLatitude) = (latitude, fineLatitude)
        (message.coarseLongitude, message.fineLongitude) = (longitude, fineLongitude)
        let height = solution.altitude + solution.geoidSeparation
        (message.coarseAltitude, message.fineAltitude) = Self.parts(
            solution.altitude * 1e4, of: 10)
        (message.coarseEllipsoidalAltitude, message.fineEllipsoidalAltitude) = Self.parts(
            height * 1e4, of: 10)
        message.horizontalAccuracy = solution.deviations.horizontal
        message.verticalAccuracy = solution.deviations.up ?? 3 * solution.deviations.horizontal
        return message
    }

    /// Splits a number into whole units and the rest.
    private static func parts(_ value: Double, of unit: Int64 = 100) -> (Int32, Int8) {
        let whole = Int64(value.rounded())
        return (Int32(clamping: whole / unit), Int8(clamping: whole % unit))
    }

    private func dilutions(_ epoch: Epoch) -> NavDOP {
        var message = NavDOP()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        guard let dilution = epoch.solution?.dilution else { return message }
        message.horizontal = dilution.hdop
        message.vertical = dilution.vdop
        message.position = dilution.pdop
        message.time = dilution.tdop
        message.geometric = dilution.gdop
        return message
    }

    private func covariances(_ epoch: Epoch) -> NavCOV {
        var message = NavCOV()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        guard let deviations = epoch.solution?.deviations, let up = deviations.up else {
            return message
        }
        (message.isPositionValid, message.isVelocityValid) = (1, 1)
        let (sine, cosine) = PortableMath.sinCos(deviations.orientation.radians)
        let (major, minor) = (deviations.semiMajor, deviations.semiMinor)
        message.positionNN = Float(deviations.north * deviations.north)
        message.positionNE = Float((major * major - minor * minor) * sine * cosine)
        message.positionEE = Float(deviations.east * deviations.east)
        message.positionDD = Float(up * up)
        let velocity = Float(Self.speedAccuracy * Self.speedAccuracy)
        (message.velocityNN, message.velocityEE, message.velocityDD) = (
            velocity, velocity, velocity
        )
        return message
    }

    private func end(_ epoch: Epoch) -> NavEOE {
        var message = NavEOE()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        return message
    }

    // MARK: Satellites

    /// Carrier locked, healthy, with an ephemeris.
    private static let trackedFlags: UInt32 = 7 | 1 << 4 | 1 << 8 | 1 << 11

    private func satellites(_ epoch: Epoch) -> NavSAT {
        var message = NavSAT()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        message.satellites = epoch.observation.satellites.prefix(255).map { observed in
            var satellite = NavSAT.Satellite()
            satellite.gnssID = UInt8(clamping: observed.id.constellation.gnssID)
            satellite.svid = observed.id.svid
            satellite.cn0 = observed.signals.first.map { UInt8(clamping: Int($0.cn0)) } ?? 0
            satellite.elevation = observed.elevation.rounded()
            satellite.azimuth = Int16(clamping: Int(observed.azimuth.rounded()) % 360)
            let isTracked = !observed.signals.isEmpty
            satellite.flags = NavSAT.Satellite.Flags(
                rawValue: (isTracked ? Self.trackedFlags : 1) | (observed.isUsed ? 8 : 0))
            return satellite
        }
        return message
    }

    private func channels(_ epoch: Epoch) -> NavSVINFO {
        var message = NavSVINFO()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        message.chip = 4
        message.satellites = epoch.observation.satellites.prefix(64).enumerated().map {
            index, observed in
            var satellite = NavSVINFO.Satellite()
            satellite.channel = observed.signals.isEmpty ? 255 : UInt8(clamping: index)
            // GPS and SBAS have their own numbers in the single numbering.
            satellite.number = observed.id.svid
            satellite.cn0 = observed.signals.first.map { UInt8(clamping: Int($0.cn0)) } ?? 0
            satellite.elevation = observed.elevation.rounded()
            satellite.azimuth = Int16(clamping: Int(observed.azimuth.rounded()) % 360)
            satellite.quality =
                observed.signals.isEmpty ? .searching : UBXSignalQuality(rawValue: 7)
            satellite.flags = NavSVINFO.Satellite.Flags(
                rawValue: (observed.isUsed ? 1 : 0) | (observed.signals.isEmpty ? 0 : 0b1100))
            return satellite
        }
        return message
    }

    private func signals(_ epoch: Epoch) -> NavSIG {
        var message = NavSIG()
        message.timeOfWeekMilliseconds = epoch.timeOfWeek
        message.signals = epoch.observation.satellites.flatMap { observed in
            observed.signals.compactMap { tracked -> NavSIG.Signal? in
                let constellation = observed.id.constellation
                guard let number = constellation.ubxSignal(ofNMEA: tracked.signal) else {
                    return nil
                }
                var signal = NavSIG.Signal()
                signal.gnssID = UInt8(clamping: constellation.gnssID)
                signal.svid = observed.id.svid
                signal.signalID = number
                signal.cn0 = UInt8(clamping: Int(tracked.cn0))
                signal.quality = UBXSignalQuality(rawValue: 7)
                signal.flags = NavSIG.Signal.Flags(rawValue: 1 | (observed.isUsed ? 0b11_1000 : 0))
                return signal
            }
        }
        return message
    }

    // MARK: Radio

    /// The gain falls as a jammer's power rises.
    private func gain(_ interference: NoticedInterference) -> UInt16 {
        UInt16(clamping: Int(5000 - 85 * min(50, max(0, interference.jamming))))
    }

    private func continuousWave(_ interference: NoticedInterference) -> UInt8 {
        UInt8(clamping: Int(5 + 4.8 * min(50, max(0, interference.jamming))))
    }

    private func jamming(_ epoch: Epoch, _ interference: NoticedInterference) -> UBXJammingState {
        guard interference.jamming > 0 else { return .none }
        return epoch.solution == nil ? .critical : .warning
    }

    private func hardware(_ interference: NoticedInterference) -> MonHW {
        var message = MonHW()
        message.noise = 90
        message.gain = gain(interference)
        message.antenna = .ok
        message.antennaPower = .on
        // The jamming detector of these generations is off until it is configured.
        message.continuousWave = continuousWave(interference)
        return message
    }

    private func radio(_ epoch: Epoch, _ interference: NoticedInterference) -> MonRF {
        var message = MonRF()
        let reportsElsewhere = personality.messages.contains(.secSIG)
        message.blocks = (0..<personality.chip.bandCount).map { band in
            var block = MonRF.Block()
            block.number = UInt8(clamping: band)
            block.flags = reportsElsewhere ? 0 : jamming(epoch, interference).rawValue
            block.antenna = .ok
            block.antennaPower = .on
            block.noise = 90
            block.gain = gain(interference)
            block.continuousWave = continuousWave(interference)
            return block
        }
        return message
    }

    private func security(_ epoch: Epoch, _ interference: NoticedInterference) -> SecSIG {
        var message = SecSIG()
        message.isJammingDetectorOn = true
        message.jamming = jamming(epoch, interference)
        message.isSpoofingDetectorOn = true
        message.spoofing = interference.isSpoofed ? .indicated : .none
        let isJammed: UInt32 = interference.jamming > 0 ? 1 << 24 : 0
        message.frequencies = [UInt32(1_575_420), 1_227_600].prefix(personality.chip.bandCount).map
        {
            var frequency = SecSIG.Frequency()
            frequency.word = $0 | isJammed
            return frequency
        }
        return message
    }
}

extension Deviations {
    fileprivate var horizontal: Double { (north * north + east * east).squareRoot() }
}
