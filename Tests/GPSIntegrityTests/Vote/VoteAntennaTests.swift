// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct VoteAntennaTests {
    private static let ship = [
        LeverArm(forward: 60, right: 0), LeverArm(forward: 0, right: 5),
        LeverArm(forward: 0, right: -5),
    ]

    @Test func `antennas of a ship agree when their places are known`() throws {
        let known = VoteBench(Self.ship, after: 10) { $0.fix.attitude.heading = 90 }
        #expect(known.last?.decision.witnesses.count == 2)
        // The course can be used too.
        let moving = VoteBench(Self.ship, after: 10)
        #expect(moving.last?.decision.witnesses.count == 2)
    }

    @Test func `without a heading, the arm's length is tolerated`() {
        var bench = VoteBench(Self.ship, speed: 0, after: 10) { $0.fix.course = nil }
        #expect(bench.last?.decision.witnesses.count == 2)
        bench.run(10) {
            $0.fix.course = nil
            if $0.receiver == 0 { $0.shift(east: 100) }
        }
        #expect(bench.last?.decision.disagreeing == [0])
    }

    @Test func `a receiver with a wrong velocity does not turn the ship`() {
        var bench = VoteBench(Self.ship, after: 10)
        bench.run(10) {
            guard $0.receiver == 2 else { return }
            ($0.fix.speed, $0.fix.course) = (30, 0)
            $0.shift(north: ($0.second - 10) * 30)
        }
        #expect(bench.last?.decision.state == .agreed)
        #expect(bench.last?.decision.disagreeing == [2])
        #expect(bench.outcomes(from: 12).allSatisfy { $0.decision.receiver != 2 })
    }

    @Test func `the heading of a silent receiver is not used after a turn`() {
        var bench = VoteBench(Self.ship, after: 10) {
            if $0.receiver == 2 { $0.fix.attitude.heading = 180 }
        }
        bench.run(10) { $0.isSent = $0.receiver != 2 }
        #expect(bench.last?.decision.state == .agreed)
        #expect(bench.last?.decision.witnesses.count == 1)
    }

    @Test func `antennas that report one position are an alarm`() throws {
        var bench = VoteBench(Self.ship, accuracy: 2)
        let levers = Self.ship
        bench.run(30)
        #expect(bench.last?.decision.reasons == [])
        bench.run(12) { report in
            report.shift(
                east: -levers[report.receiver].forward, north: levers[report.receiver].right)
        }
        let last = try #require(bench.last)
        #expect(last.decision.reasons.map(\.test).contains(.antennasCollapsed))
        let marked = last.decision.marked(last.fix, names: ["a", "b", "c"])
        #expect(marked.integrity?.state == .alarm)
        let first = bench.outcomes.first { outcome in
            outcome.decision.reasons.contains { $0.test == .antennasCollapsed }
        }
        #expect(first?.second == 41)
        bench.run(5)
        #expect(bench.last?.decision.reasons == [])
    }

    /// Moves a report to the position of the first antenna.
    private static func collapse(_ report: inout VoteBench.Report) {
        report.shift(east: -ship[report.receiver].forward, north: ship[report.receiver].right)
    }

    private static func hasCollapsed(_ outcome: VoteBench.Outcome?) -> Bool {
        outcome?.decision.reasons.contains { $0.test == .antennasCollapsed } == true
    }

    @Test func `two antennas at one position are an alarm, even if a third one is separate`() {
        var bench = VoteBench(Self.ship, accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        for _ in 0..<5 {
            bench.run(1) { if $0.receiver < 2 { Self.collapse(&$0) } }
            #expect(Self.hasCollapsed(bench.last))
        }
    }

    @Test func `two short coincidences do not count as one long coincidence`() {
        var bench = VoteBench(Self.ship, accuracy: 2, after: 30)
        for _ in 0..<2 {
            bench.run(3) { Self.collapse(&$0) }
            bench.run(20) { $0.isSent = $0.receiver == 0 }
        }
        #expect(!bench.outcomes.contains { Self.hasCollapsed($0) })
    }

    @Test func `one position of a fast and a slow receiver is an alarm in any order`() {
        for periods in [[1.0, 15], [15, 1]] {
            var bench = VoteBench(
                Array(Self.ship.prefix(2)), accuracy: 2, periods: periods, after: 100)
            #expect(!Self.hasCollapsed(bench.last))
            bench.run(60) { Self.collapse(&$0) }
            #expect(Self.hasCollapsed(bench.last))
        }
    }

    @Test func `the evidence ends ten seconds after a receiver has lost its position`() {
        var bench = VoteBench(Array(Self.ship.prefix(2)), accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        #expect(Self.hasCollapsed(bench.last))
        bench.run(8) { if $0.receiver == 1 { $0.lose() } }
        #expect(Self.hasCollapsed(bench.last))
        bench.run(5) { if $0.receiver == 1 { $0.lose() } }
        #expect(!Self.hasCollapsed(bench.last))
    }

    @Test func `the evidence continues while the positions are not clearly separate`() {
        var bench = VoteBench(Array(Self.ship.prefix(2)), accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        bench.run(30) {
            Self.collapse(&$0)
            if $0.receiver == 0 { $0.shift(east: 24) }
        }
        #expect(Self.hasCollapsed(bench.last))
    }

    @Test func `the evidence ends with a receiver that is unplugged`() {
        var bench = VoteBench(Array(Self.ship.prefix(2)), accuracy: 2, after: 30)
        bench.run(12) { Self.collapse(&$0) }
        #expect(Self.hasCollapsed(bench.last))
        bench.unplug(1)
        bench.run(3) { $0.isSent = $0.receiver == 0 }
        #expect(!Self.hasCollapsed(bench.last))
    }
}
