// SPDX-License-Identifier: MIT
import GNSS
import NMEA

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
