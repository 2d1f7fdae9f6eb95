// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct VoteTimingTests {
    @Test func `the vote waits for a receiver with a slow line`() {
        let bench = VoteBench(3, after: 20) { if $0.receiver == 2 { $0.delay = 0.6 } }
        for outcome in bench.outcomes(from: 3) {
            #expect(outcome.decision.witnesses.count == 2)
            #expect(abs(outcome.came - outcome.second - 0.6) < 0.01)
        }
    }

    @Test func `a missing receiver delays one epoch, then none`() {
        var bench = VoteBench(3, after: 5)
        bench.run(10) { if $0.receiver == 2 { $0.isSent = false } }
        let delays = bench.outcomes(from: 6).map { $0.came - $0.second }
        #expect(delays.filter { $0 > 0.2 }.count == 1)
        #expect(delays.allSatisfy { $0 < 0.9 })
    }

    @Test func `receivers of other rates are compared at the instants of the winner`() throws {
        let bench = VoteBench(3, accuracies: [2, 3, 3], periods: [0.1, 1, 0.2], after: 20)
        let outcomes = bench.outcomes(from: 5)
        #expect(outcomes.count == 151)
        #expect(outcomes.allSatisfy { $0.decision.receiver == 0 })
        #expect(outcomes.allSatisfy { $0.decision.witnesses == [1, 2] })
        #expect(outcomes.allSatisfy { $0.came - $0.second < 0.09 })
    }

    @Test(arguments: [0.05, 0.04, 0.02])
    func `each epoch of receivers with 20 to 50 fixes per second has a result`(period: Double) {
        var vote = ReceiverVote(antennas: [nil, nil])
        let start = MonotonicInstant.now
        var times: [UTCTime?] = []
        for epoch in 0..<100 {
            let second = Double(epoch) * period
            var fix = Fix()
            fix.time = Bench.time(second)
            (fix.mode, fix.quality) = (.threeD, .autonomous)
            fix.accuracy.horizontal = 2.5
            fix.coordinate = Coordinate(latitude: 48 + Double(epoch) * 1e-6, longitude: 16)
            for index in 0..<2 {
                let now = start.advanced(by: .seconds(second + Double(index) * 0.001))
                vote.receive(fix, from: index, arrival: nil, at: now)
                while vote.next() != nil { times.append(fix.time) }
            }
        }
        // The vote needs three fixes to learn the rate.
        #expect(times.count >= 98)
        #expect(Set(times).count == times.count)
    }

    @Test(arguments: [true, false])
    func `the midnight after a leap second has its own result`(isLive: Bool) throws {
        var vote = ReceiverVote(antennas: [nil, nil])
        let start = MonotonicInstant.now
        let day = try #require(CalendarDate(year: 2016, month: 12, day: 31))
        let times = (0..<10).compactMap { second -> UTCTime? in
            if second == 5 {
                return TimeOfDay(hour: 23, minute: 59, second: 60).map {
                    UTCTime(date: day, time: $0)
                }
            }
            let midnight = UTCTime(
                date: day.adding(days: 1), time: TimeOfDay(secondsOfDay: 0))
            let offset = Int64(second < 5 ? second - 5 : second - 6)
            return UTCTime(unixNanoseconds: midnight.unixNanoseconds + offset * 1_000_000_000)
        }
        var results: [UTCTime] = []
        for (second, time) in times.enumerated() {
            var fix = Fix()
            fix.time = time
            (fix.mode, fix.quality) = (.threeD, .autonomous)
            fix.accuracy.horizontal = 2.5
            fix.coordinate = Coordinate(latitude: 48 + Double(second) * 1e-6, longitude: 16)
            for index in 0..<2 {
                let now = start.advanced(by: .seconds(Double(second) + Double(index) * 0.001))
                vote.receive(fix, from: index, arrival: isLive ? now : nil, at: now)
                while vote.next() != nil { results.append(time) }
            }
        }
        #expect(times.count == 10)
        #expect(results == times)
    }

    /// Runs two receivers. Their 20th second is midnight; the date of one of them is a day early
    /// until a given second.
    private func midnight(lateUntil end: Double, from begin: Double = 20) -> VoteBench {
        VoteBench(2, after: 40) { report in
            let isLate = report.receiver == 1 && report.second >= begin && report.second < end
            report.fix.time = Bench.time(report.second + 43_180 - (isLate ? 86_400 : 0))
            report.fix.timeOfDay = report.fix.time?.time
        }
    }

    @Test func `receivers of which one changes its date seconds after midnight agree`() {
        let outcomes = midnight(lateUntil: 28).outcomes(from: 6)
        #expect(outcomes.count > 30)
        #expect(outcomes.allSatisfy { $0.decision.state != .disputed })
        #expect(outcomes.allSatisfy { $0.decision.reasons.isEmpty })
    }

    @Test func `receivers with 25 fixes per second of which one changes its date late agree`() {
        var vote = ReceiverVote(antennas: [nil, nil])
        let start = MonotonicInstant.now
        var states: [Vote.State] = []
        for epoch in 0..<400 {
            let second = Double(epoch) * 0.04
            var fix = Fix()
            (fix.mode, fix.quality) = (.threeD, .autonomous)
            fix.accuracy.horizontal = 2.5
            fix.coordinate = Coordinate(latitude: 48 + Double(epoch) * 1e-6, longitude: 16)
            for index in 0..<2 {
                // Epoch 100 is at midnight.
                let isLate = index == 1 && 100..<300 ~= epoch
                fix.time = Bench.time(second + 43_196 - (isLate ? 86_400 : 0))
                fix.timeOfDay = fix.time?.time
                let now = start.advanced(by: .seconds(second + Double(index) * 0.001))
                vote.receive(fix, from: index, arrival: now, at: now)
                while let decision = vote.next() { states.append(decision.state) }
            }
        }
        #expect(states.count > 350)
        #expect(states.allSatisfy { $0 != .disputed })
    }

    @Test func `receivers whose dates always differ do not agree at midnight either`() {
        let outcomes = midnight(lateUntil: 100, from: 0).outcomes(from: 15)
        #expect(outcomes.count > 20)
        #expect(outcomes.allSatisfy { $0.decision.state == .disputed })
    }

    @Test func `receivers of other rates in a steep turn of an aircraft agree`() {
        var bench = VoteBench(2)
        (bench.periods, bench.accuracies) = ([0.1, 1], [2, 3])
        // 10° a second.
        let radius = 250 / 10.0.radians
        bench.run(60) { report in
            let angle = 10 * report.second
            let (sine, cosine) = PortableMath.sinCos(angle.radians)
            report.fix.coordinate = Bench.place(radius * (1 - cosine), north: radius * sine)
            (report.fix.speed, report.fix.course) = (250, angle.wrappedDegrees)
        }
        let outcomes = bench.outcomes(from: 6)
        #expect(outcomes.count > 500 && outcomes.allSatisfy { $0.decision.state == .agreed })
    }

    @Test func `a slow receiver that is the best sets the rate`() {
        let bench = VoteBench(2, accuracies: [3, 1], periods: [0.1, 1], after: 20)
        let outcomes = bench.outcomes(from: 6)
        #expect(outcomes.allSatisfy { $0.decision.receiver == 1 })
        #expect(outcomes.count == 15)
    }

    @Test func `a receiver that comes too late for the others is a witness`() {
        let bench = VoteBench(2, periods: [0.1, 1], after: 20) {
            if $0.receiver == 1 { $0.delay = 0.3 }
        }
        let outcomes = bench.outcomes(from: 6)
        #expect(outcomes.allSatisfy { $0.decision.receiver == 0 })
        #expect(outcomes.count == 141)
        #expect(outcomes.filter { $0.decision.witnesses == [1] }.count > 90)
    }

    @Test func `a receiver that is always late wins when it is the only one`() {
        var bench = VoteBench(2, after: 10) { if $0.receiver == 1 { $0.delay = 0.95 } }
        #expect(bench.last?.decision.receiver == 0)
        bench.run(10) {
            if $0.receiver == 1 { $0.delay = 0.95 } else { $0.lose() }
        }
        #expect(bench.last?.decision.receiver == 1)
        #expect(bench.outcomes.count >= 19)
    }

    // The first receiver's instants are 0.3 s later, and it sends faster than the others.
    @Test func `receivers that are always late outvote a wrong one with other instants`() {
        func disturb(_ report: inout VoteBench.Report, north: Double) {
            guard report.receiver == 0, let time = report.fix.time else {
                report.delay += 0.85
                return
            }
            report.fix.time = UTCTime(unixNanoseconds: time.unixNanoseconds + 300_000_000)
            report.shift(east: 3, north: north)
            report.delay += 0.35
        }
        var bench = VoteBench(3, after: 10) { disturb(&$0, north: 0) }
        #expect(bench.last?.decision.state == .agreed)
        bench.run(30) { disturb(&$0, north: 400) }
        let outcomes = bench.outcomes(from: 13)
        #expect(outcomes.count >= 26)
        #expect(outcomes.allSatisfy { $0.decision.receiver != 0 && $0.decision.state == .agreed })
    }

    @Test func `the instants of a vote never go backward`() {
        let bench = VoteBench(3, periods: [0.1, 1, 0.5], after: 60) { report in
            report.delay = .random(in: 0.01...0.7)
            report.isSent = .random(in: 0...1) < 0.8
        }
        let seconds = bench.outcomes.map(\.second)
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 })
        #expect(seconds.count > 40)
    }

    // As after a stalled network or USB hub. The last receiver's next fix is due in 10 ms.
    @Test(arguments: [2, 3])
    func `fixes of receivers that had stalled do not replace those of the other one`(count: Int) {
        var bench = VoteBench(count, periods: Array(repeating: 0.2, count: count))
        bench.accuracies[0] = 2
        bench.run(10)
        #expect(bench.last?.decision.receiver == 0)
        bench.run(5) { report in
            guard report.receiver < count - 1 else { return report.delay = 0.01 }
            let order = report.second - 10 + Double(report.receiver) / 100
            report.delay = 15.19 + order / 1000 - report.second
        }
        bench.run(5)
        let seconds = bench.outcomes.map(\.second)
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 })
        #expect(bench.outcomes(from: 10.1).count > 40)
        #expect(bench.outcomes.allSatisfy { $0.came - $0.second < 0.5 })
    }

    @Test func `data that is sent faster than it was recorded is compared by its own times`() {
        var vote = ReceiverVote(antennas: [nil, nil, nil])
        let start = MonotonicInstant.now
        var results: [VoteDecision] = []
        for second in 1...10 {
            for index in 0..<3 {
                var fix = Fix()
                fix.time = Bench.time(Double(second))
                (fix.mode, fix.coordinate) = (.threeD, Bench.place(Double(second)))
                fix.accuracy.horizontal = 3
                let now = start + .milliseconds(5 * second + index)
                vote.receive(fix, from: index, arrival: now, at: now)
                while let decision = vote.next() { results.append(decision) }
            }
        }
        #expect(results.count == 10)
        #expect(results.dropFirst().allSatisfy { $0.witnesses.count == 2 })
    }

    // The time of one of three receivers jumps because of an attack or a wrong leap second.
    @Test(arguments: [-3, -1.2, 1.2, 3, 30, 4000])
    func `a receiver whose time steps is outvoted, and stops nothing`(step: Double) {
        var bench = VoteBench(3)
        bench.accuracies[0] = 2.2
        bench.run(10)
        #expect(bench.last?.decision.receiver == 0)
        bench.run(30) {
            guard $0.receiver == 0, let time = $0.fix.time else { return }
            $0.fix.time = UTCTime(
                unixNanoseconds: time.unixNanoseconds + Int64(step * 1e9))
            $0.shift(north: 400)
        }
        #expect(bench.outcomes(from: 13).allSatisfy { $0.decision.receiver != 0 })
        #expect(bench.outcomes(from: 13).count >= 27)
        let came = bench.outcomes.map(\.came)
        #expect(zip(came, came.dropFirst()).allSatisfy { $1 - $0 < 3.1 })
    }

    @Test func `recordings are compared by their own times`() {
        var vote = ReceiverVote(antennas: [nil, nil])
        let now = MonotonicInstant.now
        var states: [Vote.State] = []
        for second in 1...10 {
            for index in 0..<2 {
                var fix = Fix()
                fix.time = Bench.time(Double(second))
                (fix.mode, fix.coordinate) = (.threeD, Bench.place(Double(second)))
                fix.accuracy.horizontal = 3
                vote.receive(fix, from: index, arrival: nil, at: now)
                while let decision = vote.next() { states.append(decision.state) }
            }
        }
        #expect(states.count == 10)
        #expect(states.dropFirst().allSatisfy { $0 == .agreed })
    }

    @Test(arguments: [[0], [2], []])
    func `recordings without dates are compared by their times of day`(dated: [Int]) throws {
        var vote = ReceiverVote(antennas: [nil, nil, nil])
        // They are replayed as fast as possible, across midnight.
        let now = MonotonicInstant.now
        let evening = 12 * 3600 - 10.0
        var decisions: [VoteDecision] = []
        for second in 0..<20 {
            let time = try #require(Bench.time(evening + Double(second)))
            for index in 0..<3 {
                var fix = Fix()
                fix.timeOfDay = time.time
                if dated.contains(index) { fix.time = time }
                (fix.mode, fix.coordinate) = (.threeD, Bench.place(Double(second)))
                fix.accuracy.horizontal = 3
                vote.receive(fix, from: index, arrival: nil, at: now)
                while let decision = vote.next() { decisions.append(decision) }
            }
        }
        #expect(decisions.count == 20)
        #expect(decisions.dropFirst().allSatisfy { $0.witnesses.count == 2 })
    }

    // Some receivers report dates 1024 weeks back.
    @Test(arguments: [2, 3])
    func `a recording with another date doesn't take turns with the others`(count: Int) throws {
        var vote = ReceiverVote(antennas: Array(repeating: nil, count: count))
        let now = MonotonicInstant.now
        var decisions: [VoteDecision] = []
        for second in 0..<20 {
            for index in 0..<count {
                var fix = Fix()
                let time = try #require(Bench.time(Double(second)))
                fix.time = UTCTime(
                    unixNanoseconds: time.unixNanoseconds
                        - (index == 1 ? 619_315_200_000_000_000 : 0))
                fix.timeOfDay = time.time
                (fix.mode, fix.coordinate) = (.threeD, Bench.place(Double(second)))
                fix.accuracy.horizontal = 3
                vote.receive(fix, from: index, arrival: nil, at: now)
                while let decision = vote.next() { decisions.append(decision) }
            }
        }
        #expect(decisions.count == 20)
        #expect(decisions.dropFirst().allSatisfy { $0.receiver == 0 && $0.disagreeing == [1] })
        let reason = decisions.last?.reasons.first
        #expect(
            reason?.text
                == (count == 2 ? "receivers' times differ by 619315200 s (limit 0.9)" : nil))
    }

    @Test func `a recording that begins without a date is passed on, too`() {
        var vote = ReceiverVote(antennas: [nil, nil])
        let start = MonotonicInstant.now
        var results: [VoteDecision] = []
        for second in 1...10 {
            for index in 0..<2 {
                var fix = Fix()
                // RMC has the date; the recording begins with GGA.
                if second > 1 + index { fix.time = Bench.time(Double(second)) }
                (fix.mode, fix.coordinate) = (.threeD, Bench.place(Double(second)))
                fix.accuracy.horizontal = 3
                vote.receive(
                    fix, from: index, arrival: nil,
                    at: start.advanced(by: .seconds(Double(second) + Double(index) / 100)))
                while let decision = vote.next() { results.append(decision) }
            }
        }
        #expect(results.count == 10)
        #expect(results.dropFirst(3).allSatisfy { $0.state == .agreed })
    }
}
