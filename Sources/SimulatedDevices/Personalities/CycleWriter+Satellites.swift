// SPDX-License-Identifier: MIT
import GNSS

extension CycleWriter {
    /// GSA: the satellites used, a sentence for each constellation, more where there are over twelve.
    mutating func writeUsed(_ observation: Observation, _ used: [ObservedSatellite]) {
        for group in lists {
            let numbers = used.filter { group.holds($0.id) }
                .compactMap { personality.number(of: $0.id) }
            for start in stride(from: 0, to: max(1, numbers.count), by: 12) {
                wire.begin(personality.talker(of: CycleSentence.gsa) + "GSA")
                writeGSA(observation, numbers.dropFirst(start).prefix(12), group)
                wire.end()
            }
        }
    }

    private mutating func writeGSA(
        _ observation: Observation, _ numbers: ArraySlice<Int>, _ group: List
    ) {
        let solution = observation.solution
        wire.letter(UInt8(ascii: "A"))
        wire.integer(Int((solution?.mode ?? .noFix).rawValue))
        let listed = solution == nil ? [] : numbers
        for number in listed { wire.integer(number, width: 2) }
        wire.empty(12 - listed.count)
        dilution(solution?.dilution.pdop)
        dilution(solution?.dilution.hdop)
        dilution(solution?.dilution.vdop)
        if personality.version >= .v4_10 { wire.integer(group.systemID) }
    }

    /// GSV: the satellites in view, a set for each constellation and signal.
    mutating func writeView(_ observation: Observation) {
        for group in lists {
            let mine = observation.satellites.filter {
                group.holds($0.id) && personality.number(of: $0.id) != nil
            }
            for (index, signal) in personality.signals(of: group.main).enumerated() {
                // What is not heard is listed once, with the main signal.
                let listed =
                    index == 0
                    ? mine : mine.filter { $0.signals.contains { $0.signal == signal } }
                if index == 0 || !listed.isEmpty { writeGSV(listed, signal, group) }
            }
        }
    }

    private mutating func writeGSV(
        _ satellites: [ObservedSatellite], _ signal: UInt8, _ group: List
    ) {
        let total = max(1, (satellites.count + 3) / 4)
        for part in 0..<total {
            wire.begin(personality.talker(of: group.main) + "GSV")
            wire.integer(total)
            wire.integer(part + 1)
            wire.integer(satellites.count, width: 2)
            for satellite in satellites.dropFirst(4 * part).prefix(4) {
                wire.integer(personality.number(of: satellite.id), width: 2)
                wire.fixed(satellite.elevation, 0, width: 2)
                let azimuth = satellite.azimuth.rounded()
                wire.fixed(azimuth >= 360 ? 0 : azimuth, 0, width: 3)
                let heard = satellite.signals.first { $0.signal == signal }
                wire.fixed(heard.map { min(99, max(1, $0.cn0)) }, 0, width: 2)
            }
            if personality.version >= .v4_10 {
                wire.letter(WireWriter.hexDigit(satellites.isEmpty ? 0 : signal & 15))
            }
            wire.end()
        }
    }

    /// One constellation's sentences; SBAS is listed with GPS.
    private struct List {
        var main: Constellation
        var systemID: Int

        func holds(_ id: SatelliteID) -> Bool {
            id.constellation == main || (main == .gps && id.constellation == .sbas)
        }
    }

    private var lists: [List] {
        personality.constellations.compactMap { constellation in
            switch constellation {
            case .gps: List(main: .gps, systemID: 1)
            case .glonass: List(main: .glonass, systemID: 2)
            case .galileo: List(main: .galileo, systemID: 3)
            case .beiDou: List(main: .beiDou, systemID: 4)
            case .qzss: List(main: .qzss, systemID: 5)
            case .navIC: List(main: .navIC, systemID: 6)
            case .sbas: nil
            }
        }
    }
}
