// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct ConstellationPlanTests {
    private static let four: Set<Constellation> = [.gps, .glonass, .galileo, .beiDou]

    private func member(
        _ name: String, _ supported: Set<Constellation>?, atOnce: Int? = nil,
        enabled: Set<Constellation>? = nil
    ) -> ConstellationPlan.Member {
        var state = ReceiverState(ReceiverIdentity(.ublox, model: "M10", firmware: "SPG 5.10"))
        state.supportedConstellations = supported
        state.maximumConstellations = atOnce
        state.configuration.constellations = enabled
        return ConstellationPlan.Member(name: name, state: state)
    }

    private func plan(_ supported: [Set<Constellation>]) throws -> ConstellationPlan {
        try ConstellationPlan(
            supported.enumerated().map { member("r\($0.offset)", $0.element) })
    }

    @Test func `two receivers have no constellation in common`() throws {
        let plan = try plan([Self.four, Self.four])
        #expect(plan.constellations(of: 0) == [.gps, .glonass])
        #expect(plan.constellations(of: 1) == [.galileo, .beiDou])
        #expect(
            plan.lines == [
                "r0: GPS and GLONASS (u-blox M10 (SPG 5.10))",
                "r1: Galileo and BeiDou (u-blox M10 (SPG 5.10))",
            ])
        #expect(plan.warnings == [])
    }

    @Test(arguments: 2...8)
    func `pairs are distinct up to six, and constellations are used equally often`(
        count: Int
    ) throws {
        let plan = try plan(Array(repeating: Self.four, count: count))
        let pairs = (0..<count).map { plan.constellations(of: $0) }
        #expect(pairs.allSatisfy { $0.count == 2 })
        #expect(Set(pairs).count == min(count, 6))
        let uses = Self.four.map { constellation in pairs.count { $0.contains(constellation) } }
        #expect((uses.max() ?? 9) - (uses.min() ?? 0) <= 1)
        #expect(plan.warnings.count == max(0, count - 6))
    }

    @Test func `each receiver has what its chip supports`() throws {
        let supported: [Set<Constellation>] = [
            Self.four, [.gps, .glonass], [.gps, .glonass, .beiDou, .sbas],
        ]
        let plan = try plan(supported)
        for (index, supported) in supported.enumerated() {
            #expect(plan.constellations(of: index).isSubset(of: supported))
        }
        #expect(plan.constellations(of: 1) == [.gps, .glonass])
        #expect(Set((0..<3).map { plan.constellations(of: $0) }).count == 3)
        // False signals of no constellation reach all of them.
        #expect(plan.warnings == [])
    }

    @Test func `a plan with a shared pair or constellation has a warning`() throws {
        let plan = try plan([[.gps, .glonass], [.gps, .glonass]])
        #expect(
            plan.warnings == [
                "r0 and r1 have the same pair of constellations: GPS and GLONASS",
                "all receivers use GPS: false signals of GPS can deceive all of them",
                "all receivers use GLONASS: false signals of GLONASS can deceive all of them",
            ])
    }

    @Test func `SBAS stays with GPS if it is on, and QZSS follows GPS`() throws {
        let all = Self.four.union([.sbas, .qzss])
        let plan = try ConstellationPlan([
            member("a", all, enabled: all), member("b", all, enabled: all),
            member("c", all, enabled: [.gps]),
        ])
        let pairs = (0..<3).map { plan.constellations(of: $0) }
        for (index, pair) in pairs.enumerated() {
            #expect(pair.contains(.qzss) == pair.contains(.gps))
            #expect(pair.contains(.sbas) == (pair.contains(.gps) && index < 2))
        }
    }

    @Test(
        arguments: [
            (nil, nil, "does not report which constellations it can receive"),
            ([.gps, .sbas], nil, "cannot receive two of"),
            ([.gps, .glonass], 1, "cannot receive two of"),
        ] as [(Set<Constellation>?, Int?, String)])
    func `a receiver without a pair is refused by name`(
        supported: Set<Constellation>?, atOnce: Int?, reason: String
    ) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConstellationPlan([
                member("bow", Self.four), member("aft", supported, atOnce: atOnce),
            ])
        }
        #expect(error?.description.hasPrefix("aft: u-blox M10") == true)
        #expect(error?.reason.contains(reason) == true)
    }
}
