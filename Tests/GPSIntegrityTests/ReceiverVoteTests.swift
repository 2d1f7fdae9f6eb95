// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct ReceiverVoteTests {
    @Test func `three receivers agree, and the most accurate one is passed on`() throws {
        let bench = VoteBench(3, accuracies: [3, 2, 2.6], after: 20)
        let last = try #require(bench.last)
        #expect(last.decision.state == .agreed)
        #expect(last.decision.receiver == 1)
        #expect(last.decision.witnesses == [0, 2])
        #expect(last.decision.disagreeing == [])
        #expect(bench.outcomes.count == 20)
    }

    @Test func `the winner's fix differs in nothing but the result`() throws {
        let bench = VoteBench(2, after: 3)
        let last = try #require(bench.last)
        var marked = last.decision.marked(last.fix, names: ["a", "b"])
        #expect(marked.vote?.state == .agreed)
        #expect(marked.vote?.winner != nil)
        #expect(marked.vote?.witnesses.count == 1)
        marked.vote = nil
        #expect(marked == last.fix)
    }

    @Test func `a single receiver has no witness`() throws {
        let bench = VoteBench(1, after: 5)
        #expect(bench.outcomes.count == 5)
        let decision = try #require(bench.last?.decision)
        #expect(decision.state == .single)
        let radius = try #require(decision.radius)
        #expect(abs(radius - 2.5) < 1e-9)
    }

    @Test func `witnesses don't make the radius smaller`() throws {
        let bench = VoteBench(8, after: 5)
        let radius = try #require(bench.last?.decision.radius)
        #expect(abs(radius - 2.5) < 1e-9)
    }

    @Test func `two receivers that disagree are disputed, and the current one is kept`() throws {
        var bench = VoteBench(2, after: 5)
        let winner = try #require(bench.last?.decision.receiver)
        bench.run(10) { if $0.receiver == winner { $0.shift(east: 60) } }
        let decision = try #require(bench.last?.decision)
        #expect(decision.state == .disputed)
        #expect(decision.receiver == winner)
        #expect(decision.witnesses == [])
        #expect(decision.disagreeing == [1 - winner])
        #expect(decision.radius == nil)
        let marked = decision.marked(Fix(), names: ["a", "b"])
        #expect(marked.integrity?.state == .warning)
        #expect(marked.integrity?.reasons.map(\.test) == [.receiversDisagree])
        #expect(marked.integrity?.reasons.first?.since == Bench.time(6))
    }

    @Test(arguments: 0..<3)
    func `a receiver that jumps is outvoted in the same epoch`(wrong: Int) {
        var bench = VoteBench(3, after: 10)
        bench.run(20) { if $0.receiver == wrong { $0.shift(north: 400) } }
        #expect(bench.outcomes.count == 30)
        for outcome in bench.outcomes(from: 11) {
            #expect(outcome.decision.receiver != wrong)
            #expect(outcome.decision.state == .agreed)
            #expect(outcome.decision.disagreeing == [wrong])
            let causes = outcome.decision.causes
            #expect(causes.count == 1 && causes[0].hasSuffix(" m away"), "\(causes)")
            // The receivers' own errors are a few metres.
            let distance = causes.first.flatMap { Double($0.prefix(while: \.isNumber)) } ?? 0
            #expect(abs(distance - 400) < 15, "\(causes)")
        }
    }

    @Test(arguments: 0..<3, 1...20)
    func `a drag-off by 1 m/s is noticed within 20 m`(wrong: Int, seed: Int) {
        var bench = VoteBench(3, seed: UInt64(seed))
        bench.accuracies[wrong] = 2.2
        bench.run(10)
        bench.run(40) {
            if $0.receiver == wrong { $0.shift(north: $0.second - 10) }
        }
        #expect(bench.outcomes(from: 31).allSatisfy { $0.decision.receiver != wrong })
        let first = bench.outcomes.first { $0.decision.disagreeing.contains(wrong) }?.second
        let end = bench.outcomes.last { $0.decision.receiver == wrong }?.second ?? 0
        #expect((first ?? 99) <= 31)
        #expect(end <= 30)
    }

    @Test func `two receivers near the threshold do not alternate between agreeing and not`() {
        var bench = VoteBench(3, seed: 3, after: 5)
        bench.run(300) {
            if $0.receiver == 0 {
                $0.shift(north: Int($0.second).isMultiple(of: 2) ? 11 : 16)
            }
        }
        let winners = bench.outcomes.map(\.decision.receiver)
        let changes = zip(winners, winners.dropFirst()).filter { $0 != $1 }.count
        #expect(changes <= 1)
    }

    @Test func `the winner does not alternate between equally accurate receivers`() {
        var bench = VoteBench(3, after: 3)
        bench.run(300) { $0.fix.accuracy.horizontal = .random(in: 2.4...2.6) }
        let winners = Set(bench.outcomes(from: 4).map(\.decision.receiver))
        #expect(winners.count == 1)
    }

    @Test func `a receiver that becomes more accurate wins after two seconds`() {
        var bench = VoteBench(3, accuracies: [2, 3, 3], after: 5)
        #expect(bench.last?.decision.receiver == 0)
        bench.accuracies[2] = 0.02
        bench.run(2)
        #expect(bench.last?.decision.receiver == 0)
        bench.run(1)
        #expect(bench.last?.decision.receiver == 2)
    }

    @Test func `a covariance counts by direction`() throws {
        // Receivers that are uncertain to the north agree across 30 m of north, not of east.
        func state(north: Double, east: Double) throws -> Vote.State {
            let bench = VoteBench(2, after: 3) {
                $0.fix.covariance = Covariance(
                    northNorth: 100, northEast: 0, northDown: 0, eastEast: 1, eastDown: 0,
                    downDown: 1)
                if $0.receiver == 1 { $0.shift(east: east, north: north) }
            }
            return try #require(bench.last?.decision.state)
        }
        #expect(try state(north: 40, east: 0) == .agreed)
        #expect(try state(north: 0, east: 40) == .disputed)
    }

    @Test func `two against two is disputed`() throws {
        let bench = VoteBench(4, after: 5) { if $0.receiver > 1 { $0.shift(east: 200) } }
        let decision = try #require(bench.last?.decision)
        #expect(decision.state == .disputed)
        #expect(decision.witnesses.count == 1)
        #expect(decision.disagreeing.count == 2)
    }

    @Test(arguments: [2, 3])
    func `2D receivers that contradict the only 3D receiver dispute its position`(
        count: Int
    ) throws {
        let bench = VoteBench(count, after: 5) { report in
            if report.receiver == 0 {
                report.shift(east: 400)
            } else {
                report.fix.mode = .twoD
            }
        }
        let decision = try #require(bench.last?.decision)
        #expect(decision.state == .disputed)
        #expect(decision.receiver == 0)
        #expect(decision.disagreeing == Array(1..<count))
        #expect(decision.radius == nil)
        let marked = decision.marked(Fix(), names: ["bow", "port", "aft"])
        #expect(marked.integrity?.state == .warning)
        #expect(marked.integrity?.reasons.map(\.test) == [.receiversDisagree])
    }

    @Test func `a 2D receiver does not dispute a 3D receiver with which another one agrees`()
        throws
    {
        let bench = VoteBench(3, after: 5) { report in
            if report.receiver > 0 { report.fix.mode = .twoD }
            if report.receiver == 2 { report.shift(east: 400) }
        }
        let decision = try #require(bench.last?.decision)
        #expect(decision.state == .single && decision.radius != nil)
        #expect(decision.disagreeing == [2])
    }

    @Test func `a receiver in an integrity alarm does not dispute the position of another one`()
        throws
    {
        let bench = VoteBench(2, after: 5) { report in
            guard report.receiver == 1 else { return }
            report.shift(east: 400)
            report.fix.integrity = Integrity(state: .alarm)
        }
        let decision = try #require(bench.last?.decision)
        #expect(decision.state == .single && decision.radius != nil)
        #expect(decision.receiver == 0 && decision.disagreeing == [1])
    }

    @Test func `a receiver with another date is outvoted and delays nothing`() {
        let bench = VoteBench(3, after: 30) {
            guard $0.receiver == 0, let time = $0.fix.time else { return }
            $0.fix.time = UTCTime(unixNanoseconds: time.unixNanoseconds - 619_315_200_000_000_000)
        }
        #expect(bench.outcomes(from: 3).count == 28)
        for outcome in bench.outcomes(from: 3) {
            #expect(outcome.decision.receiver != 0)
            #expect(outcome.decision.disagreeing == [0])
            #expect(outcome.came - outcome.second < 0.9)
        }
    }
}
