// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// The receiver's time against this machine's clock.
@Suite(.timeLimit(.generous)) struct TimeTests {
    private func bench(
        _ seconds: Double, late: ClosedRange<Double> = 0.05...0.15, seed: UInt64 = 3
    ) -> (Bench, SeededGenerator) {
        var random = SeededGenerator(seed: seed)
        let bench = Bench(after: seconds) { $0.delay = .random(in: late, using: &random) }
        return (bench, random)
    }

    @Test func `fixes with varying delays do not count as a step`() {
        var (bench, random) = bench(300, late: 0.33...0.95)
        #expect(bench.state == .ok && bench.monitor.counts(of: .clockStep).run > 250)
        // A busy machine reads several seconds of fixes at once.
        bench.run(5) { $0.delay = 305 - $0.second + .random(in: 0...0.1, using: &random) }
        bench.run(60) { $0.delay = .random(in: 0.33...0.95, using: &random) }
        #expect(bench.state == .ok)
    }

    @Test(arguments: [(0.2, Integrity.State.ok), (1.2, .alarm), (-0.2, .ok), (-1.2, .alarm)])
    func `a step of more than half a second and the spread is an alarm`(
        step: Double, state: Integrity.State
    ) {
        var (bench, random) = bench(300)
        bench.run(60) {
            $0.delay = .random(in: 0.05...0.15, using: &random)
            $0.shiftTime(step)
        }
        #expect(bench.state == state)
    }

    @Test(arguments: [2.0, 20])
    func `a changed delay of the line is not a step of the receiver's time`(lag: Double) {
        var bench = Bench(after: 120) { $0.delay = lag }
        // The backlog is read at once.
        bench.run(120) { $0.delay = max(0.1, 120 + lag + 0.05 - $0.second) }
        bench.run(200) { $0.delay = lag }
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
        #expect(bench.monitor.counts(of: .clockStep).run > 300)
        bench.run(2) {
            $0.delay = lag
            $0.shiftTime(1.2)
        }
        #expect(bench.state == .alarm && bench.tests == [.clockStep])
    }

    @Test func `a step of the time is an alarm, although the first fix after it arrives late`() {
        var bench = Bench(after: 120)
        bench.run(1) {
            $0.delay = 0.9
            $0.shiftTime(0.8)
        }
        #expect(bench.state == .ok)
        bench.run(2) { $0.shiftTime(0.8) }
        #expect(bench.state == .alarm && bench.tests == [.clockStep])
    }

    @Test(arguments: [1.0, -1])
    func `a machine that was suspended for seconds may have a clock that is a second off`(
        error: Double
    ) {
        var bench = Bench(after: 120)
        bench.period = 20
        bench.run(20) { $0.delay += error }
        bench.period = 1
        bench.run(100) { $0.delay += error }
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
        bench.run(2) {
            $0.delay += error
            $0.shiftTime(1.2)
        }
        #expect(bench.state == .alarm && bench.tests == [.clockStep])
    }

    @Test func `with a reported accuracy of the time, a smaller step is an alarm`() {
        var bench = Bench(after: 300) { $0.fix.accuracy.time = 30e-9 }
        bench.run(2) {
            $0.fix.accuracy.time = 30e-9
            $0.shiftTime(0.4)
        }
        #expect(bench.state == .alarm && bench.tests == [.clockStep])
    }

    @Test func `steps of the time without a position are not evidence`() {
        var (bench, _) = bench(100)
        bench.run(60) {
            $0.shiftTime($0.second < 130 ? 0 : -800_000_000)
            $0.lose()
        }
        bench.run(20) { $0.shiftTime(-800_000_000) }
        #expect(!bench.tests.contains(.timeJump))
    }

    @Test(arguments: [0.1, 10, 0.5])
    func `a recording that is played into a tty at another pace is not an attack`(pace: Double) {
        let bench = Bench(after: 600) { $0.delay = $0.second * (1 / pace - 1) }
        #expect(bench.first(.alarm) == nil && !bench.tests.contains(.clockStep))
    }

    @Test func `a slow drift of the time is a warning after some minutes`() throws {
        var bench = Bench(after: 200)
        bench.run(900) { $0.shiftTime(0.001 * ($0.second - 200)) }
        #expect(try #require(bench.first(.warning)) < 600)
        #expect(bench.tests == [.clockRate])
    }

    @Test(arguments: [0.004, 0.005, 0.02, 0.1, 0.24])
    func `a fast drift of the time is a warning within five minutes`(rate: Double) throws {
        var bench = Bench(after: 200)
        bench.run(600) { $0.shiftTime(rate * ($0.second - 200)) }
        #expect(try #require(bench.first(.warning)) < 500)
        #expect(bench.first(.alarm) == nil)
        #expect(bench.events.allSatisfy { $0.tests.isSubset(of: [.clockRate]) })
    }

    @Test func `delays that become shorter for minutes after a stall are not a drift`() {
        let bench = Bench(after: 900) { epoch in
            epoch.delay += max(0, min(30, epoch.second - 300) - max(0, epoch.second - 330) / 10)
        }
        #expect(bench.state == .ok && bench.first(.warning) == nil)
    }

    @Test func `two separate changes of the delay are not a drift`() {
        let bench = Bench(after: 900) { epoch in
            if epoch.second >= 200 { epoch.delay += 0.4 }
            if epoch.second >= 600 { epoch.delay += 0.4 }
        }
        #expect(bench.state == .ok && bench.first(.warning) == nil)
    }

    @Test func `a machine that is suspended in two minutes, one after the other, shows no drift`() {
        var bench = Bench(after: 120)
        for error in [0.9, 1.8] {
            bench.period = 20
            bench.run(20) { $0.delay -= error }
            bench.period = 1
            bench.run(60) { $0.delay -= error }
        }
        bench.run(200) { $0.delay -= 1.8 }
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
    }

    @Test func `a clock that NTP slews by an eighth of a second does not cause a warning`() {
        let bench = Bench(after: 1000) { epoch in
            // 500 ppm for 250 s.
            epoch.delay = 0.05 + 0.0005 * min(250, max(0, epoch.second - 300))
        }
        #expect(bench.state == .ok && bench.first(.warning) == nil)
    }

    @Test func `a machine whose clock is 100 ppm off causes no warning`() {
        let bench = Bench(after: 1500) { $0.delay += 0.0001 * $0.second }
        #expect(bench.state == .ok)
    }

    @Test(arguments: [(2.0, Integrity.State.ok), (20, .alarm)])
    func `a date that changes some seconds after midnight is not a jump`(
        late: Double, state: Integrity.State
    ) {
        let bench = Bench(after: 300) {
            // The 200th second is midnight.
            let isLate = $0.second >= 200 && $0.second < 200 + late
            $0.shiftTime(12 * 3600 - 200 - (isLate ? 86_400 : 0))
        }
        #expect(bench.state == state)
    }

    @Test func `the state stays ok if a receiver on the network changes its date after midnight`() {
        let bench = Bench(isLive: false, after: 300) {
            // The 200th second is midnight.
            let isLate = $0.second >= 200 && $0.second < 203
            $0.shiftTime(12 * 3600 - 200 - (isLate ? 86_400 : 0))
        }
        #expect(bench.state == .ok)
        #expect(bench.first(.unknown, after: 190) == nil)
    }

    @Test func `a genuine leap second is not a step`() {
        var bench = Bench()
        let midnight = UTCTime(
            date: CalendarDate(year: 2027, month: 1, day: 1) ?? .unixEpoch,
            time: TimeOfDay(wrapping: 0))
        let offset =
            Double(midnight.unixNanoseconds - (Bench.time(0)?.unixNanoseconds ?? 0)) / 1e9
        bench.run(300) {
            // From the 200th second on, UTC is a second behind.
            let seconds = $0.second < 200 ? 0.0 : -1
            $0.shiftTime(offset - 199 + seconds)
        }
        #expect(bench.first(.alarm) == nil)
    }

    @Test(arguments: [1, 2, 3, 18, -2000 * 86_400, -1024 * 7 * 86_400] as [Double])
    func `a correction of leap seconds or the date to the system's clock is not an attack`(
        error: Double
    ) {
        var bench = Bench(systemError: 0.02, after: 60) { $0.shiftTime(error) }
        bench.run(700)
        #expect(bench.state == .ok && bench.tests.isEmpty && bench.first(.warning) == nil)
        bench.run(2) { $0.shiftTime(1.2) }
        #expect(bench.tests == [.clockStep], "a step away from the system's clock")
    }

    @Test(arguments: [1.0, 2, 18])
    func `leap seconds learned after a search are not an attack if the system's clock is wrong`(
        error: Double
    ) {
        var bench = Bench(systemError: -1.7e9, after: 5) { $0.lose() }
        bench.run(300) { $0.shiftTime(error) }
        bench.run(700)
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
        bench.run(60) { $0.shiftTime(-2) }
        #expect(bench.state == .alarm, "the receiver has known them for long")
    }

    /// Lets the receiver's time go back. The decoder leaves out the fixes whose times
    /// were already reported.
    private func goBack(_ bench: inout Bench, by seconds: Double, from error: Double) {
        bench.period = seconds + 1
        bench.run(bench.period) {
            $0.fix.followsRepeatedTimes = true
            $0.shiftTime(error - seconds)
        }
        bench.period = 1
    }

    @Test func `a step back to times that were already reported is an alarm in half a minute`()
        throws
    {
        var bench = Bench(after: 120)
        goBack(&bench, by: 2, from: 0)
        bench.run(60) { $0.shiftTime(-2) }
        #expect(try #require(bench.first(.alarm)) < 160)
        #expect(bench.tests == [.clockStep])
    }

    @Test(arguments: [0.02, -1.7e9])
    func `leap seconds that repeat times are not an attack`(systemError: Double) {
        var bench = Bench(systemError: systemError, after: 5) { $0.lose() }
        bench.run(300) { $0.shiftTime(2) }
        goBack(&bench, by: 2, from: 2)
        bench.run(700)
        #expect(bench.first(.alarm) == nil && bench.first(.warning) == nil)
    }

    @Test func `leap seconds are learned only once after a search`() {
        var bench = Bench(systemError: -1.7e9, after: 5) { $0.lose() }
        bench.run(300) { $0.shiftTime(18) }
        bench.run(60)
        #expect(bench.first(.alarm) == nil)
        bench.run(1) { $0.shiftTime(-18) }
        #expect(bench.state == .alarm && bench.tests.contains(.timeJump))
    }

    @Test func `a step of time between two times that are not the system's is an alarm`() {
        var bench = Bench(systemError: 5000, after: 60) { $0.shiftTime(18) }
        bench.run(2)
        #expect(bench.state == .alarm && bench.tests == [.timeJump])
    }

    @Test(arguments: [60.0, 600], [-86_400.0, -3600, 7200])
    func `the time of recorded signals after a search is an alarm`(search: Double, step: Double) {
        var bench = Bench(systemError: 0.02, after: 120)
        bench.run(search) { $0.lose() }
        bench.run(2) { $0.shiftTime(step) }
        #expect(bench.state == .alarm && bench.tests == [.timeJump])
    }

    @Test(arguments: [(0.0, 0.0), (5000, -86_400), (0, -30)])
    func `after a search, a time that no clock contradicts by a minute is not an alarm`(
        systemError: Double, step: Double
    ) {
        var bench = Bench(systemError: systemError, after: 120)
        bench.run(600) { $0.lose() }
        bench.run(20) { $0.shiftTime(step) }
        #expect(bench.first(.alarm) == nil && !bench.tests.contains(.timeJump))
    }

    @Test func `after a search, a system's clock that was set does not contradict the receiver`() {
        var bench = Bench(systemError: 0, after: 120)
        bench.run(60) { $0.lose() }
        bench.systemError = 5000
        bench.run(20)
        #expect(bench.first(.alarm) == nil && bench.tests.isEmpty)
    }

    @Test func `leap seconds that were not announced are a warning`() {
        var bench = Bench(after: 70) { $0.fix.leapSeconds = 18 }
        #expect(bench.state == .ok)
        bench.run(5) { $0.fix.leapSeconds = 17 }
        #expect(bench.state == .warning)
        #expect(bench.text == "receiver uses 17 leap seconds instead of 18")
    }

    @Test(arguments: [
        (20.0, Integrity.State.ok), (32, .warning), (60, .alarm), (-60, .alarm),
    ])
    func `an oscillator's rate changes by little within a second`(
        change: Double, state: Integrity.State
    ) {
        func drift(_ epoch: inout Bench.Epoch, _ more: Double) {
            epoch.fix.receiverClock = ReceiverClock(drift: Int32(-370 + more))
        }
        var bench = Bench(after: 650) { drift(&$0, 0) }
        bench.run(3) { drift(&$0, change) }
        #expect(bench.state == state)
        var cold = Bench(after: 300) { drift(&$0, 0) }
        cold.run(3) { drift(&$0, change) }
        #expect(cold.state == .ok, "it warms up")
    }

    @Test(arguments: [FixQuality.autonomous, .estimated])
    func `a time that was inaccurate, or extrapolated, is corrected without a change of rate`(
        quality: FixQuality
    ) {
        let bench = Bench(after: 760) { epoch in
            // From 700 s to 730 s, few signals are received, or none.
            let seconds = epoch.second - 700
            let isPoor = 0..<30 ~= seconds
            let error = isPoor ? 6 * seconds : 0
            let bias = Int32((-372 * epoch.second).remainder(dividingBy: 1e6) + error)
            epoch.fix.receiverClock = ReceiverClock(bias: bias, drift: -372)
            epoch.fix.accuracy.time = isPoor && quality == .autonomous ? 60e-9 : 20e-9
            if isPoor { epoch.fix.quality = quality }
        }
        #expect(bench.state == .ok && bench.monitor.counts(of: .receiverClock).hit == 0)
    }

    @Test func `a bias that begins again is not a change of rate`() {
        let bench = Bench(after: 3000) { epoch in
            let bias = (-372 * epoch.second).remainder(dividingBy: 1e6)
            epoch.fix.receiverClock = ReceiverClock(bias: Int32(bias))
            epoch.fix.accuracy.time = 20e-9
        }
        #expect(bench.state == .ok && bench.monitor.counts(of: .receiverClock) == (2399, 0))
    }
}
