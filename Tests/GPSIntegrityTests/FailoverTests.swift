// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// Requests from users of chart plotters and flight computers with several receivers.
@Suite(.timeLimit(.generous))
struct FailoverTests {
    // OpenCPN#2209: the preferred receiver keeps sending, and has no fix.

    @Test
    func `OpenCPN 2209, a receiver that sends without a fix gives way at once, and comes back`() {
        var bench = VoteBench(2)
        bench.accuracies[0] = 1.5
        bench.run(10)
        #expect(bench.last?.decision.receiver == 0)
        bench.run(10) { if $0.receiver == 0 { $0.lose() } }
        #expect(bench.outcomes.count == 20)
        #expect(bench.outcomes(from: 11).allSatisfy { $0.decision.receiver == 1 })
        #expect(bench.last?.decision.state == .single)
        bench.run(5)
        #expect(bench.last?.decision.receiver == 0)
        #expect(bench.last?.decision.state == .agreed)
        #expect(bench.outcomes.allSatisfy { $0.fix.coordinate != nil })
    }

    @Test(arguments: 0..<3)
    func `OpenCPN 2209, a position is passed on in each epoch while any receiver has one`(
        fixed: Int
    ) {
        var bench = VoteBench(3, after: 10)
        bench.run(60) { report in
            // The others have a fix now and then, at different times.
            let isLost = Int(report.second) / 5 % 3 != report.receiver
            if report.receiver != fixed, isLost { report.lose() }
        }
        #expect(bench.outcomes.count == 70)
        #expect(bench.outcomes.allSatisfy { $0.fix.coordinate != nil && $0.error < 9 })
    }

    @Test
    func
        `OpenCPN 2209, a receiver whose fix comes and goes takes the position only when it has been better`()
    {
        var bench = VoteBench(2, accuracies: [1.5, 2.5], after: 10)
        // A second with a fix, a second without.
        bench.run(60) { report in
            if report.receiver == 0, Int(report.second).isMultiple(of: 2) { report.lose() }
        }
        #expect(bench.outcomes.count == 70)
        #expect(bench.outcomes(from: 12).allSatisfy { $0.decision.receiver == 1 })
    }

    // XCSoar#2351: the first receiver with any fix wins, although a later one is better.

    @Test(arguments: [[1.5, 8, 4], [8, 1.5, 4], [8, 4, 1.5]])
    func `XCSoar 2351, the most accurate receiver wins in any order`(accuracies: [Double]) {
        let bench = VoteBench(3, accuracies: accuracies, after: 6)
        #expect(bench.last?.decision.receiver == accuracies.firstIndex(of: 1.5))
    }

    @Test func `XCSoar 2351, a better receiver replaces one whose fix remains valid`() {
        var bench = VoteBench(2, accuracies: [3, 8], after: 10)
        #expect(bench.last?.decision.receiver == 0)
        // The receiver gets RTK corrections.
        bench.run(10) {
            guard $0.receiver == 1 else { return }
            $0.fix.quality = .rtkFixed
            $0.fix.accuracy.horizontal = 0.02
        }
        #expect(bench.last?.decision.receiver == 1)
        #expect(bench.last?.decision.state == .agreed)
    }

    @Test(arguments: [FixQuality.autonomous, .estimated])
    func `XCSoar 2351, a 3D fix goes before a 2D fix and before dead reckoning`(
        quality: FixQuality
    ) {
        let bench = VoteBench(2, accuracies: [1, 5], after: 10) {
            guard $0.receiver == 0 else { return }
            $0.fix.quality = quality
            if quality == .autonomous { $0.fix.mode = .twoD }
        }
        #expect(bench.outcomes(from: 3).allSatisfy { $0.decision.receiver == 1 })
    }

    @Test func `XCSoar 2351, the winner does not alternate between similar receivers`() {
        var bench = VoteBench(2, after: 5)
        bench.run(60) {
            let isBetter = Int($0.second) % 2 == $0.receiver
            $0.fix.accuracy.horizontal = isBetter ? 2 : 3
        }
        let winners = bench.outcomes(from: 6).map(\.decision.receiver)
        #expect(Set(winners).count == 1)
    }
}

/// A vote of synthetic receivers in one vehicle, which drives east or is at rest.
struct VoteBench {
    /// One fix, as a receiver reports it.
    struct Report {
        let receiver: Int
        /// Seconds since the start.
        let second: Double
        var fix: Fix
        /// The seconds from its instant to its arrival.
        var delay: Double
        /// Whether it is sent.
        var isSent = true

        /// Moves the position by a number of metres.
        mutating func shift(east: Double = 0, north: Double = 0) {
            fix.coordinate?.longitude += east / 74_340
            fix.coordinate?.latitude += north / 111_200
        }

        /// Removes the position.
        mutating func lose() {
            var lost = Fix()
            lost.time = fix.time
            fix = lost
        }
    }

    /// One result, and the true values at its instant.
    struct Outcome {
        let decision: VoteDecision
        /// The fix that was passed on.
        let fix: Fix
        /// The instants of the fix and of the result, in seconds since the start.
        let second: Double
        let came: Double
        /// The distance from the true position in metres.
        let error: Double
    }

    var vote: ReceiverVote
    /// Metres per second to the east.
    var speed: Double
    /// The 68 % radius of each receiver.
    var accuracies: [Double]
    /// The seconds between two fixes of each receiver.
    var periods: [Double]
    private(set) var outcomes: [Outcome] = []
    private(set) var second = 0.0
    private let start = MonotonicInstant.now
    private let levers: [LeverArm?]
    private var fixes: [[Fix]]
    private var seconds: [[Double]]
    private var biases: [LocalPlane.Point]
    private var random: SeededGenerator

    /// Creates a vote, and runs it for a number of seconds. `change` modifies each report.
    init(
        _ levers: [LeverArm?], speed: Double = 10, accuracy: Double = 2.5,
        accuracies: [Double]? = nil, periods: [Double]? = nil, seed: UInt64 = 1,
        after seconds: Double = 0, _ change: (inout Report) -> Void = { _ in }
    ) {
        vote = ReceiverVote(antennas: levers)
        self.levers = levers
        self.speed = speed
        self.accuracies = accuracies ?? Array(repeating: accuracy, count: levers.count)
        self.periods = periods ?? Array(repeating: 1, count: levers.count)
        fixes = Array(repeating: [], count: levers.count)
        self.seconds = fixes.map { _ in [] }
        random = SeededGenerator(seed: seed)
        biases = []
        let sigma = accuracy / 1.5096
        for _ in levers {
            biases.append(
                LocalPlane.Point(east: random.normal() * sigma, north: random.normal() * sigma))
        }
        run(seconds, change)
    }

    init(
        _ count: Int, accuracies: [Double]? = nil, periods: [Double]? = nil, seed: UInt64 = 1,
        after seconds: Double = 0, _ change: (inout Report) -> Void = { _ in }
    ) {
        self.init(
            Array(repeating: nil, count: count), accuracies: accuracies, periods: periods,
            seed: seed, after: seconds, change)
    }

    /// The last result.
    var last: Outcome? { outcomes.last }

    /// Returns the results from a second on.
    func outcomes(from second: Double) -> [Outcome] { outcomes.filter { $0.second >= second } }

    /// Runs for a number of seconds in steps of a tenth. `change` modifies each report.
    mutating func run(_ duration: Double, _ change: (inout Report) -> Void = { _ in }) {
        let end = second + duration
        var arrivals: [Report] = []
        var tick = Int((second * 10).rounded()) + 1
        while Double(tick) / 10 <= end + 1e-9 {
            let now = Double(tick) / 10
            for index in levers.indices where isDue(index, tick) {
                var report = Report(
                    receiver: index, second: now, fix: fix(of: index, at: now),
                    delay: .random(in: 0.01...0.05, using: &random))
                change(&report)
                if report.isSent { arrivals.append(report) }
            }
            arrivals.sort { $0.second + $0.delay < $1.second + $1.delay }
            while let next = arrivals.first, next.second + next.delay < now + 0.1 {
                deliver(arrivals.removeFirst())
            }
            tick += 1
        }
        second = end
        for report in arrivals { deliver(report) }
    }

    /// Removes a receiver.
    mutating func unplug(_ index: Int) {
        vote.lose(index, at: start.advanced(by: .seconds(second)))
        collect(at: second)
    }

    /// Returns the position of an antenna of the vehicle at a second.
    func truth(_ second: Double, of index: Int) -> Coordinate {
        let lever = levers[index] ?? .origin
        // The vehicle points east, so forward is east, and right is south.
        return Bench.place(speed * second + lever.forward, north: -lever.right)
    }

    private func isDue(_ index: Int, _ tick: Int) -> Bool {
        tick.isMultiple(of: max(1, Int((periods[index] * 10).rounded())))
    }

    private mutating func fix(of index: Int, at second: Double) -> Fix {
        var fix = Fix()
        fix.time = Bench.time(second)
        fix.timeOfDay = fix.time?.time
        (fix.mode, fix.quality) = (.threeD, .autonomous)
        (fix.speed, fix.course) = (speed, 90)
        fix.accuracy.horizontal = accuracies[index]
        let noise = 0.1
        let bias = biases[index]
        let place = truth(second, of: index)
        fix.coordinate = Coordinate(
            latitude: place.latitude + (bias.north + random.normal() * noise) / 111_200,
            longitude: place.longitude + (bias.east + random.normal() * noise) / 74_340)
        return fix
    }

    private mutating func deliver(_ report: Report) {
        let came = report.second + report.delay
        while let due = vote.wakeAt, due.seconds(since: start) <= came {
            vote.wake(at: due)
            collect(at: due.seconds(since: start))
        }
        let arrival = start.advanced(by: .seconds(came))
        // Fixes of the receiver that are still waiting are decided before this one is added.
        fixes[report.receiver].append(report.fix)
        seconds[report.receiver].append(report.second)
        vote.receive(report.fix, from: report.receiver, arrival: arrival, at: arrival)
        collect(at: came)
    }

    private mutating func collect(at came: Double) {
        while let decision = vote.next() {
            let fix = fixes[decision.receiver][decision.number - 1]
            let second = seconds[decision.receiver][decision.number - 1]
            let error = fix.coordinate.map { $0.distance(to: truth(second, of: decision.receiver)) }
            outcomes.append(
                Outcome(
                    decision: decision, fix: fix, second: second, came: came,
                    error: error ?? .nan))
        }
    }
}
