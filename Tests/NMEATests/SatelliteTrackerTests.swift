// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct SatelliteTrackerTests {
    /// A talker's complete list of one signal.
    private struct List {
        var talker: Address
        var constellation: Constellation?
        var signal: UInt8
        var satellites: [SatelliteID]
    }

    /// The view by definition: each list together with the signals that it does not replace.
    private struct Model {
        var entries: [(id: SatelliteID, signal: UInt8, talker: Address, cn0: Double)] = []

        mutating func take(_ list: List, cn0: Double) {
            let listed = Set(list.satellites.map(\.constellation))
            let cleared = list.satellites.isEmpty ? list.constellation : nil
            entries.removeAll { old in
                let isOfSignal = old.signal == list.signal
                if isOfSignal, listed.contains(old.id.constellation) || old.talker == list.talker {
                    return true
                }
                return old.id.constellation == cleared && (isOfSignal || list.signal == 0)
            }
            for id in list.satellites
            where !entries.contains(where: { $0.id == id && $0.signal == list.signal }) {
                entries.append((id, list.signal, list.talker, cn0))
            }
            entries.sort { ($0.id, $0.signal) < ($1.id, $1.signal) }
        }
    }

    @Test(arguments: 1...20)
    func `lists in any order produce the same view as merging them one by one`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tracker = FixAssembler().satellites
        var model = Model()
        var lists: [List] = []
        for round in 0..<400 {
            let list = next(of: &lists, &random)
            let cn0 = Double(round % 99)
            model.take(list, cn0: cn0)
            let hasBegun = tracker.begin(part: 1, of: 1, signal: list.signal, from: list.talker)
            #expect(hasBegun)
            for id in list.satellites { tracker.add(SatelliteSignal(id: id, cn0: cn0)) }
            tracker.end(constellation: list.constellation)
            let seen = tracker.view.signals.map { "\($0.id) \($0.signal) \($0.cn0 ?? -1)" }
            #expect(seen == model.entries.map { "\($0.id) \($0.signal) \($0.cn0)" })
        }
    }

    /// Usually a list that occurred before, sometimes in another order or with other satellites.
    private func next(of lists: inout [List], _ random: inout SeededGenerator) -> List {
        if lists.count < 6 || Int.random(in: 0..<12, using: &random) == 0 {
            if lists.count >= 6 { lists.remove(at: .random(in: 0..<6, using: &random)) }
            lists.append(invented(&random))
        }
        let index = Int.random(in: 0..<lists.count, using: &random)
        if Int.random(in: 0..<8, using: &random) == 0 {
            lists[index].satellites.shuffle(using: &random)
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
            lists[index].satellites = invented(&random).satellites
        }
        return lists[index]
    }

    private func invented(_ random: inout SeededGenerator) -> List {
        let constellations: [Constellation] = [.gps, .galileo, .glonass]
        let satellites = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
            let constellation = constellations.randomElement(using: &random) ?? .gps
            return SatelliteID(constellation, .random(in: 1...6, using: &random))
        }
        return List(
            talker: Address(["GP", "GA", "GL"].randomElement(using: &random) ?? "GP"),
            constellation: constellations.randomElement(using: &random),
            signal: .random(in: 0...2, using: &random), satellites: satellites)
    }
}
