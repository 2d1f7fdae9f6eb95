// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension CycleWriter {
    /// GSA: the satellites used, one sentence per constellation, more if there are over twelve.
    func satellitesUsed(_ observation: Observation) -> [GSA] {
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
        _ observation: Observation, _ numbers: ArraySlice<Int>, _ system: System
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

    /// GSV: the satellites in view, one set per constellation and signal, with its talker.
    func satellitesInView(_ observation: Observation) -> [(Talker, GSV)] {
        systems.flatMap { system in
            let inView = observation.satellites.filter {
                system.lists($0.id) && personality.number(of: $0.id) != nil
            }
            let talker = personality.talker(of: system.constellation)
            return personality.signals(of: system.constellation).enumerated().flatMap {
                index, signal -> [(Talker, GSV)] in
                // An untracked satellite is listed once, with the main signal.
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

    /// A constellation with its own sentences; SBAS is listed with GPS.
    private struct System {
        var constellation: Constellation
        /// NMEA 4.10's system id.
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
