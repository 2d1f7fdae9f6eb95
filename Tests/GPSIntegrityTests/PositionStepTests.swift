// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct PositionStepTests {
    /// Returns the bench after a step of a distance in metres.
    private func bench(
        step: Double, speed: Double = 0, accuracy: Double = 1,
        _ change: (inout Bench.Epoch) -> Void = { _ in }
    ) -> Bench {
        var bench = Bench(speed: speed, after: 70) { $0.fix.accuracy.horizontal = accuracy }
        bench.run(4) {
            $0.fix.accuracy.horizontal = accuracy
            $0.shift(step)
            change(&$0)
        }
        return bench
    }

    @Test(arguments: [
        (4.0, Integrity.State.ok), (7, .warning), (18, .warning), (23, .alarm),
    ])
    func `a step is a warning from 5 m on, an alarm from 20 m on`(
        step: Double, state: Integrity.State
    ) {
        #expect(bench(step: step).state == state)
    }

    @Test(arguments: [1.0, 0.1], [(3.9, Integrity.State.ok), (12, .warning)])
    func `a step in parts over three seconds is a warning from 5 m on`(
        period: Double, step: (metres: Double, state: Integrity.State)
    ) {
        // A receiver that has never been in motion may not report speeds.
        var bench = Bench(speed: 5)
        bench.period = period
        bench.run(70) { $0.fix.accuracy.horizontal = 1 }
        #expect(bench.state == .ok)
        bench.run(6) {
            $0.fix.accuracy.horizontal = 1
            $0.shift(step.metres * min(1, ($0.second - 70) / 3))
        }
        #expect(bench.state == step.state)
        #expect(bench.tests == (step.state == .ok ? [] : [.positionStep]))
    }

    @Test(arguments: [
        (40.0, Integrity.State.ok), (50, .warning), (80, .alarm),
    ])
    func `the limits of a step grow with the accuracy of the fix`(
        step: Double, state: Integrity.State
    ) {
        #expect(bench(step: step, accuracy: 10).state == state)
    }

    @Test func `a movement that agrees with the velocity is not a step, at any speed`() {
        #expect(bench(step: 0, speed: 250).state == .ok)
    }

    @Test(arguments: [10.0, 30])
    func `a steep turn of an aircraft whose velocity is half a second late is not a step`(
        rate: Double
    ) {
        var bench = Bench()
        let radius = 250 / rate.radians
        bench.run(140) { epoch in
            let (sine, cosine) = PortableMath.sinCos((rate * epoch.second).radians)
            epoch.fix.coordinate = Bench.place(radius * (1 - cosine), north: radius * sine)
            epoch.fix.speed = 250
            epoch.fix.course = (rate * (epoch.second - 0.5)).wrappedDegrees
        }
        #expect(bench.first(.warning) == nil && bench.first(.alarm) == nil)
        bench.run(1) { epoch in
            epoch.fix.coordinate = Bench.place(3000)
            (epoch.fix.speed, epoch.fix.course) = (250, 0)
        }
        #expect(bench.state == .alarm, "a jump")
    }

    @Test func `a velocity that is reported only with a jump does not hide it`() {
        var bench = Bench(after: 70)
        bench.run(1) {
            $0.shift(400)
            $0.fix.speed = 800
        }
        bench.run(1) { $0.shift(400) }
        #expect(bench.state == .alarm && bench.tests.contains(.positionStep))
    }

    @Test func `a movement in another direction than the velocity is a step`() {
        let bench = bench(step: 0, speed: 30) { $0.fix.course = 270 }
        #expect(bench.state == .alarm)
        #expect(bench.text.contains("at a reported speed of 30 m/s, "))
        #expect(bench.text.contains(" m from the expected position"))
    }

    @Test func `a reported speed without a change of the position is a step`() {
        var bench = Bench(after: 70)
        bench.run(2) {
            $0.fix.speed = 30
            $0.fix.coordinate = Bench.place($0.second / 100)
        }
        #expect(bench.state == .alarm)
        #expect(
            bench.text.contains(
                "moved 0 m in 1 s at a reported speed of 30 m/s, 30 m from the expected position"))
    }

    @Test(arguments: [1.0, -1])
    func `a straight path past a pole is not a step, although the course changes there`(
        pole: Double
    ) {
        let bench = Bench(after: 140) { epoch in
            // The path passes the pole at a distance of 5 m.
            let along = 100 * (epoch.second - 100)
            let longitude = PortableMath.atan2(5, along).degrees
            epoch.fix.coordinate = Coordinate(
                latitude: pole * (90 - (along * along + 25).squareRoot() / 111_693.98),
                longitude: longitude)
            epoch.fix.speed = 100
            epoch.fix.course = (pole > 0 ? longitude + 180 : -longitude).wrappedDegrees
        }
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
    }

    @Test func `without a course, the distance alone is compared`() {
        var bench = Bench(speed: 30, after: 70) { $0.fix.course = nil }
        #expect(bench.state == .ok)
        bench.run(1) {
            $0.fix.course = nil
            $0.shift(60)
        }
        #expect(bench.state == .alarm)
    }

    @Test func `without a speed, nothing is compared`() {
        var bench = Bench(after: 70)
        bench.run(4) {
            ($0.fix.speed, $0.fix.course) = (nil, nil)
            $0.shift(1000)
        }
        #expect(bench.state == .ok)
    }

    @Test func `positions are not compared for five seconds after a change of the fix type`() {
        var bench = Bench(after: 70)
        bench.run(4) {
            $0.fix.quality = .differential
            $0.shift(15)
        }
        #expect(bench.state == .ok)
    }

    @Test(arguments: [8.0, 25])
    func `the first fixes after a long search may be corrected, which is at most a warning`(
        after seconds: Double
    ) {
        var bench = Bench(after: 40) { $0.lose() }
        bench.run(seconds) { $0.shift(400) }
        bench.run(100)
        #expect(bench.first(.alarm) == nil && bench.first(.positionGap) != nil)
        bench.run(1) { $0.shift(400) }
        #expect(bench.tests.contains(.positionStep), "half a minute later")
    }

    @Test(arguments: [(true, Integrity.State.alarm), (false, .warning)])
    func `after opening with a fix, a jump is evidence from the third fix on`(
        isLive: Bool, state: Integrity.State
    ) {
        var bench = Bench(isLive: isLive, after: 2)
        bench.run(1) { $0.shift(400) }
        #expect(bench.state == state, "a recording may begin after a search")
    }

    @Test func `the first fixes of a receiver that is opened while it searches may be corrected`() {
        var bench = Bench(after: 1) { $0.lose() }
        bench.run(2) { $0.shift(3000) }
        bench.run(100)
        #expect(bench.first(.alarm) == nil && bench.first(.positionGap) != nil)
    }

    @Test func `positions are compared again after as long a time as a gap lasted`() {
        var bench = Bench(after: 70)
        bench.run(15) { $0.lose() }
        bench.run(10) { $0.shift(60) }
        bench.run(100)
        #expect(bench.first(.alarm) == nil)
        bench.run(1) { $0.shift(60) }
        #expect(bench.state == .alarm)
    }

    @Test(arguments: [0.0, 25])
    func `a jump after a repeated position in a tunnel is a warning, not an alarm`(
        reported speed: Double
    ) {
        var bench = Bench(speed: 25)
        var entrance: Coordinate?
        bench.run(70) { entrance = $0.fix.coordinate }
        bench.run(30) { ($0.fix.coordinate, $0.fix.speed) = (entrance, speed) }
        bench.run(10)
        #expect(bench.first(.alarm) == nil && bench.state == .warning)
    }

    @Test func `a receiver that sends each position ten times raises no alarm`() {
        var bench = Bench()
        (bench.speed, bench.period) = (30, 0.1)
        var sent: Coordinate?
        bench.run(70) { epoch in
            let isNew = Int((epoch.second * 10).rounded()).isMultiple(of: 10)
            if isNew || sent == nil { sent = epoch.fix.coordinate }
            epoch.fix.coordinate = sent
        }
        #expect(bench.first(.warning) == nil && bench.first(.alarm) == nil)
    }

    @Test func `a jump after a position that was held at rest is a warning, not an alarm`() {
        var bench = Bench(after: 70) { $0.fix.coordinate = Bench.place(0) }
        bench.speed = 5
        bench.run(11) { ($0.fix.coordinate, $0.fix.speed) = (Bench.place(0), 0) }
        bench.run(10)
        #expect(bench.first(.alarm) == nil && bench.state == .warning)
    }

    @Test func `a jump of a position whose digits never changed is an alarm`() {
        var bench = Bench(after: 70) { $0.fix.coordinate = Bench.place(0) }
        bench.run(1) { $0.fix.coordinate = Bench.place(60) }
        #expect(bench.state == .alarm)
    }

    @Test func `without speeds above 0, a jump is a step, and movement is not`() {
        var bench = Bench(after: 70)
        for speed in 1...30 {
            bench.speed = Double(speed)
            bench.run(1) { $0.fix.speed = 0 }
        }
        bench.run(60) { $0.fix.speed = 0 }
        #expect(bench.state == .ok && bench.first(.warning) == nil)
        bench.run(1) {
            $0.fix.speed = 0
            $0.shift(60)
        }
        #expect(bench.state == .alarm && bench.tests == [.positionStep])
    }

    @Test func `coordinates with two decimals of a minute are not steps`() {
        func rounded(_ degrees: Double) -> Double { (degrees * 6000).rounded() / 6000 }
        let bench = Bench(speed: 11, after: 300) {
            $0.fix.accuracy.horizontal = 1
            guard let exact = $0.fix.coordinate else { return }
            $0.fix.coordinate = Coordinate(
                latitude: rounded(exact.latitude), longitude: rounded(exact.longitude))
        }
        #expect(bench.state == .ok && bench.first(.warning) == nil)
    }

    @Test func `the end of dead reckoning is not a step`() {
        var bench = Bench(after: 70) { $0.fix.quality = .estimated }
        bench.run(10) { $0.shift(500) }
        #expect(bench.state == .ok)
    }

    @Test(arguments: [2.0, 3, 18])
    func `leap seconds that are learned during a drive are not a step of the position`(
        error: Double
    ) {
        var bench = Bench(speed: 16, systemError: 0.02, after: 300) { $0.shiftTime(error) }
        // The fixes with times that the receiver has already reported are dropped.
        bench.period = error + 1
        bench.run(error + 1)
        bench.period = 1
        bench.run(60)
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
    }

    @Test func `a delay of the data does not explain a step of the position`() {
        var bench = Bench(speed: 16, after: 300)
        bench.run(20) {
            $0.delay += 5
            $0.fix.coordinate = Bench.place(16 * $0.second, north: 60)
        }
        #expect(bench.state == .alarm && bench.tests.contains(.positionStep))
    }

    @Test func `a delay of the data does not make a step of noise against the motion larger`() {
        var bench = Bench(speed: 2, after: 70) { $0.fix.accuracy.horizontal = 10 }
        // The data of ten seconds is read at once.
        bench.run(20) {
            $0.fix.accuracy.horizontal = 10
            $0.delay = max(0.1, 81.1 - $0.second)
            $0.shift(-35)
        }
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
    }
}

@Suite(.timeLimit(.generous)) struct PositionFrozenTests {
    private func bench(seconds: Double, speed: Double) -> Bench {
        var bench = Bench(after: 70)
        bench.run(seconds) {
            $0.fix.coordinate = Bench.place(0)
            $0.fix.speed = speed
        }
        return bench
    }

    @Test func `a long rest without a speed is not a frozen position`() {
        #expect(bench(seconds: 1000, speed: 0.4).state == .ok)
    }

    @Test func `a speed that adds up to 50 m without a change of the position is a warning`() {
        let bench = bench(seconds: 30, speed: 3)
        #expect(bench.state == .warning && bench.tests == [.positionFrozen])
        #expect(bench.text.hasPrefix("position unchanged for "))
        #expect(bench.text.hasSuffix(" s at a reported speed of 3 m/s"))
    }

    @Test func `a position that is unchanged during dead reckoning is a warning, too`() {
        var bench = Bench(after: 70)
        bench.run(30) {
            $0.fix.coordinate = Bench.place(0)
            ($0.fix.quality, $0.fix.speed) = (.estimated, 3)
        }
        #expect(bench.state == .warning && bench.tests == [.positionFrozen])
    }

    @Test func `a path shorter than the last digit of a coarse position is not evidence`() {
        #expect(bench(seconds: 12, speed: 3).state == .ok)
    }
}

@Suite(.timeLimit(.generous)) struct PositionGapTests {
    /// Returns the bench after a gap in which the receiver moved a distance in metres.
    private func bench(gap: Double, moved: Double, speed: Double = 0) -> Bench {
        var bench = Bench(speed: speed, after: 70)
        bench.run(gap) { $0.lose() }
        bench.run(4) { $0.shift(moved) }
        return bench
    }

    @Test(arguments: [(10.0, 150.0), (10, -150), (60, 2000), (2, 10)])
    func `a jump that a vehicle can travel in the gap is not evidence`(gap: Double, moved: Double) {
        #expect(bench(gap: gap, moved: moved).tests.isEmpty)
    }

    @Test(arguments: [(10.0, 400.0), (6, 200)])
    func `a jump that no vehicle can travel in the gap is a warning`(gap: Double, moved: Double) {
        let bench = bench(gap: gap, moved: moved)
        #expect(bench.state == .warning && bench.tests == [.positionGap])
    }

    @Test func `a car that leaves a tunnel at the expected position raises no warning`() {
        #expect(bench(gap: 60, moved: 0, speed: 30).tests.isEmpty)
    }

    @Test(arguments: [true, false])
    func `in a recording, a gap with fixes without a time may have lasted for hours`(isLive: Bool) {
        var bench = Bench(isLive: isLive, after: 70)
        // It is switched off, and on again elsewhere.
        bench.run(3) { epoch in
            epoch.lose()
            (epoch.fix.time, epoch.fix.timeOfDay) = (nil, nil)
        }
        bench.run(3) {
            $0.lose()
            $0.shiftTime(isLive ? 0 : 7200)
        }
        bench.run(10) {
            $0.shift(3000)
            $0.shiftTime(isLive ? 0 : 7200)
        }
        #expect(bench.tests == (isLive ? [.positionGap] : []))
    }

    @Test func `after a gap of five minutes, any position is accepted`() {
        var bench = bench(gap: 310, moved: 500_000)
        #expect(bench.tests.isEmpty)
        bench.run(3)
        #expect(bench.tests == [.positionGap], "moving back within seconds is not")
    }
}
