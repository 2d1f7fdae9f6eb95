// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension UBXEpoch {
    /// All listed satellites, each with its main signal.
    var sat: NavSAT {
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
    var sig: NavSIG {
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
                entry.residual = residual(satellite)
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
    var svinfo: NavSVINFO {
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
enum UBXSignalNumber {
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
