// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// The states, and the transitions between them.
@Suite(.timeLimit(.generous)) struct StateEvaluatorTests {
    @Test func `a receiver is unknown for a minute, then ok`() throws {
        let bench = Bench(after: 120)
        #expect(bench.events.map(\.state) == [.ok])
        #expect(60...62 ~= (try #require(bench.first(.ok))))
        #expect(bench.monitor.integrity.evidence == [.motion, .signals, .time])
        #expect(bench.monitor.integrity.since == Bench.time(try #require(bench.first(.ok))))
        #expect(bench.monitor.integrity.start != nil)
    }

    @Test func `a recording has no evidence of time, and its states have no instant`() {
        let bench = Bench(isLive: false, after: 120) { if $0.second > 100 { $0.shiftTime(-3600) } }
        #expect(bench.state == .ok)
        #expect(bench.monitor.integrity.evidence == [.motion, .signals])
        #expect(bench.monitor.integrity.start == nil && bench.monitor.integrity.since != nil)
    }

    @Test func `a position and a time alone are never ok`() {
        let bench = Bench(after: 600) {
            ($0.fix.speed, $0.fix.course) = (nil, nil)
            $0.view = SatelliteView()
        }
        #expect(bench.state == .unknown && bench.events.isEmpty)
        #expect(bench.monitor.integrity.evidence == [.time])
    }

    @Test func `velocities alone are one kind of evidence, which is too little`() {
        let bench = Bench(isLive: false, after: 600) { $0.view = SatelliteView() }
        #expect(bench.state == .unknown)
    }

    @Test(arguments: [FixQuality.estimated, .manual])
    func `a time and positions that are not measured are never ok`(quality: FixQuality) {
        let bench = Bench(speed: 10, after: 600) {
            $0.fix.quality = quality
            $0.view = SatelliteView()
        }
        #expect(bench.state == .unknown && bench.events.isEmpty)
        #expect(bench.monitor.integrity.evidence == [.time])
    }

    @Test func `positions more than five seconds apart are no evidence of motion`() {
        var bench = Bench(speed: 10, isLive: false)
        bench.period = 10
        bench.run(600)
        #expect(bench.state == .unknown)
        #expect(bench.monitor.integrity.evidence == [.signals])
    }

    @Test func `a minute without evidence ends ok`() throws {
        var bench = Bench(after: 100)
        bench.run(100) {
            ($0.fix.speed, $0.fix.course) = (nil, nil)
            $0.view = SatelliteView()
        }
        #expect(160...162 ~= (try #require(bench.first(.unknown))))
    }

    @Test func `a soft test is a warning from two seconds on`() {
        var bench = Bench(after: 70)
        bench.run(2) { $0.fix.jamming = .warning }
        #expect(bench.state == .ok)
        bench.run(1) { $0.fix.jamming = JammingState.none }
        #expect(bench.state == .ok)
        bench.run(3) { $0.fix.jamming = .warning }
        #expect(bench.state == .warning && bench.tests == [.jamming])
        #expect(bench.monitor.counts(of: .jamming) == (6, 5))
    }

    @Test func `a warning ends after a minute of quiet`() throws {
        var bench = Bench(after: 70)
        bench.run(5) { $0.fix.jamming = .warning }
        bench.run(80)
        #expect(bench.events.map(\.state) == [.ok, .warning, .ok])
        #expect(135...136 ~= (try #require(bench.first(.ok, after: 75))))
    }

    @Test func `two soft tests of different kinds are an alarm, two of one kind are not`() {
        var bench = Bench(after: 70)
        bench.run(4) {
            $0.fix.jamming = .warning
            $0.strengths { ($0.cn0 ?? 0) - 9 }
        }
        #expect(bench.state == .alarm && bench.tests == [.jamming, .signalFall])

        bench = Bench(after: 70)
        bench.run(4) { $0.strengths { ($0.cn0 ?? 0) + ($0.id.svid == 7 ? 12 : -9) } }
        #expect(bench.state == .warning && bench.tests.isSubset(of: [.signalFall, .signalLevel]))
    }

    @Test func `a fall of all satellites before a silence and a jump after it are not an alarm`() {
        var bench = Bench(after: 70)
        bench.run(4) { $0.strengths { ($0.cn0 ?? 0) - 9 } }
        #expect(bench.state == .warning && bench.tests == [.signalFall])
        bench.period = 20
        bench.run(20) { $0.shift(3000) }
        #expect(bench.state == .warning && bench.tests == [.signalFall, .positionGap])
    }

    @Test func `an alarm stays for ten minutes after the receiver has forgotten it`() throws {
        var bench = Bench(after: 70)
        bench.run(1) { $0.fix.spoofing = .indicated }
        #expect(bench.state == .alarm)
        bench.run(595) { $0.fix.spoofing = SpoofingState.none }
        #expect(bench.state == .alarm && bench.tests == [.spoofing])
        #expect(bench.monitor.integrity.since == Bench.time(71))
        bench.run(10) { $0.fix.spoofing = SpoofingState.none }
        #expect(bench.state == .ok && bench.monitor.integrity.reasons.isEmpty)
    }

    @Test func `an alarm stays if the position does not agree with the one before`() {
        var bench = Bench(after: 70)
        bench.run(1000) { $0.shift(300) }
        #expect(bench.state == .alarm)
        bench.monitor.acknowledge()
        #expect(bench.state == .unknown && bench.monitor.integrity.reasons.isEmpty)
        bench.run(70) { $0.shift(300) }
        #expect(bench.state == .ok)
    }

    @Test func `an alarm does not end without a position, and not at one far away after that`() {
        var bench = Bench(after: 70)
        bench.run(1) { $0.fix.spoofing = .indicated }
        bench.run(610) {
            $0.lose()
            $0.view = SatelliteView()
        }
        #expect(bench.state == .alarm)
        bench.run(70) { $0.shift(50_000) }
        #expect(bench.state == .alarm)
    }

    @Test func `an alarm whose ten minutes end without a position ends with the next position`() {
        var bench = Bench(after: 70)
        bench.run(1) { $0.fix.spoofing = .indicated }
        bench.run(580)
        bench.run(30) { $0.lose() }
        #expect(bench.state == .alarm)
        bench.run(2)
        #expect(bench.state != .alarm)
    }

    @Test(arguments: [(0.0, Integrity.State.ok), (300, .alarm)])
    func `an alarm of a receiver with a fix every four seconds ends at the position before`(
        moved: Double, state: Integrity.State
    ) {
        var bench = Bench()
        bench.period = 4
        bench.run(120)
        bench.run(4) { $0.fix.spoofing = .indicated }
        #expect(bench.state == .alarm)
        bench.run(720) {
            $0.fix.spoofing = SpoofingState.none
            $0.shift(moved)
        }
        #expect(bench.state == state)
    }

    @Test(arguments: [(0.0, Integrity.State.ok), (300, .alarm)], [0.0, nil])
    func `an alarm of a receiver at rest ends, although it reports no course, or no speed`(
        moved: (metres: Double, state: Integrity.State), speed: Double?
    ) {
        func report(_ spoofing: SpoofingState?, _ epoch: inout Bench.Epoch) {
            (epoch.fix.speed, epoch.fix.course, epoch.fix.spoofing) = (speed, nil, spoofing)
        }
        var bench = Bench(after: 70) { report(nil, &$0) }
        bench.run(1) { report(.indicated, &$0) }
        bench.run(700) {
            report(SpoofingState.none, &$0)
            $0.shift(moved.metres)
        }
        #expect(bench.state == moved.state)
    }

    @Test func `an alarm ends after ten quiet minutes if another receiver agrees`() {
        var bench = Bench(after: 70)
        bench.run(300) { $0.shift(300) }
        bench.monitor.confirm()
        bench.run(5) { $0.shift(300) }
        #expect(bench.state == .alarm)
        bench.run(400) { $0.shift(300) }
        bench.monitor.confirm()
        bench.run(1) { $0.shift(300) }
        #expect(bench.state == .ok)
    }

    @Test(arguments: [IntegrityMonitor.Change.opened, .lost, .reconfigured])
    func `an alarm outlasts a receiver that is plugged in again`(change: IntegrityMonitor.Change) {
        var bench = Bench(after: 70)
        bench.run(1) { $0.fix.spoofing = .indicated }
        bench.monitor.receive(change)
        #expect(bench.state == .alarm)
        bench.run(900)
        #expect(bench.state == .alarm, "the way in between is unknown")
    }

    @Test(arguments: [IntegrityMonitor.Change.opened, .lost, .reconfigured])
    func `an alarm in the first minute after a change ends, too`(change: IntegrityMonitor.Change) {
        var bench = Bench()
        bench.monitor.receive(change)
        bench.run(40)
        bench.run(1) { $0.fix.spoofing = .indicated }
        #expect(bench.state == .alarm)
        bench.run(590) { $0.fix.spoofing = SpoofingState.none }
        #expect(bench.state == .alarm)
        bench.run(310) { $0.fix.spoofing = SpoofingState.none }
        #expect(bench.state == .ok)
    }

    @Test func `an alarm in the first minute stays if the position moves away`() {
        var bench = Bench()
        bench.monitor.receive(.opened)
        bench.run(40)
        bench.run(1) { $0.fix.spoofing = .indicated }
        bench.run(900) {
            $0.fix.spoofing = SpoofingState.none
            $0.shift(300)
        }
        #expect(bench.state == .alarm)
    }

    @Test func `after a change of settings, nothing is compared with what was before`() {
        var bench = Bench(after: 700)
        bench.monitor.receive(.reconfigured)
        bench.run(20) {
            $0.shift(300)
            $0.shiftTime(1.2)
            $0.strengths { ($0.cn0 ?? 0) - 10 }
        }
        #expect(bench.state == .ok)
    }

    @Test func `a test that still hits starts an acknowledged alarm again`() {
        var bench = Bench(after: 70)
        bench.run(1) { $0.fix.spoofing = .affirmed }
        bench.monitor.acknowledge()
        bench.run(1) { $0.fix.spoofing = .affirmed }
        #expect(bench.state == .alarm)
    }

    @Test func `a reason does not begin with an earlier finding that was too short`() throws {
        var bench = Bench(after: 70)
        bench.run(1) { $0.strengths { ($0.cn0 ?? 0) - 14 } }
        bench.run(100)
        #expect(bench.state == .ok && bench.monitor.counts(of: .signalFall).hit == 1)
        bench.run(4) { $0.strengths { ($0.cn0 ?? 0) - 9 } }
        let reason = try #require(bench.monitor.integrity.reasons.first)
        #expect(reason.test == .signalFall && reason.value < 10)
        #expect(reason.since == Bench.time(172))
    }

    @Test func `the reason that began first remains first when its test hits again`() {
        var bench = Bench(after: 70)
        bench.run(1) { $0.shift(100) }
        bench.run(10)
        bench.run(4) { $0.fix.jamming = .warning }
        #expect(bench.tests == [.positionStep, .jamming])
        bench.run(6)
        bench.run(1) { $0.shift(500) }
        let reasons = bench.monitor.integrity.reasons
        #expect(reasons.map(\.test) == [.positionStep, .jamming])
        #expect(reasons.first.map { $0.value > 400 } == true)
    }

    @Test func `a reason has the worst value, and the time at which it began`() throws {
        var bench = Bench(after: 70)
        for metres in [100.0, 500, 250] {
            bench.run(1) { $0.shift(metres) }
            bench.run(1)
        }
        let reason = try #require(bench.monitor.integrity.reasons.first)
        #expect(reason.test == .positionStep && 498...502 ~= reason.value)
        #expect(reason.threshold == 20 && reason.unit == "m")
        #expect(reason.since == Bench.time(71))
        #expect(bench.monitor.counts(of: .positionStep).hit == 6)
    }
}
