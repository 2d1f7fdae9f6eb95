// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct SignalSpreadTests {
    private func state(
        after seconds: Double, period: Double = 1, _ strength: (SatelliteSignal) -> Double
    ) -> Integrity.State {
        var bench = Bench(after: 70)
        bench.period = period
        bench.run(seconds) { $0.strengths(strength) }
        return bench.state
    }

    private func side(_ signal: SatelliteSignal) -> Double {
        signal.id.svid.isMultiple(of: 2) ? 1 : -1
    }

    @Test func `four lists are too few, five are enough`() {
        #expect(state(after: 4) { 46 + side($0) } == .ok)
        #expect(state(after: 6) { 46 + side($0) } == .alarm)
    }

    @Test func `five lists within a second are too few`() {
        #expect(state(after: 3, period: 0.1) { 46 + side($0) } == .ok)
        #expect(state(after: 6, period: 0.1) { 46 + side($0) } == .alarm)
    }

    @Test func `equally weak satellites are not an alarm`() {
        #expect(state(after: 20) { 28 + side($0) } != .alarm)
    }

    @Test func `a receiver that reports one constant for all satellites does not measure C/N0`() {
        let bench = Bench(after: 200) { $0.strengths { _ in 40 } }
        #expect(bench.first(.alarm) == nil && bench.monitor.counts(of: .signalSpread).run == 0)
    }

    @Test func `a receiver that reports a constant for each system does not measure C/N0`() {
        var bench = Bench(after: 200) { epoch in
            for index in epoch.view.signals.indices {
                let isGPS = epoch.view.signals[index].id.constellation == .gps
                // It begins with a search.
                epoch.view.signals[index].cn0 = epoch.second < 20 ? 0 : isGPS ? 45 : 42
            }
        }
        #expect(bench.first(.alarm) == nil && bench.monitor.counts(of: .signalSpread).run == 0)
        bench.run(10) { epoch in epoch.strengths { $0.id.constellation == .gps ? 47 : 42 } }
        #expect(bench.state == .alarm, "it changes")
    }

    @Test func `equally strong geostationary satellites of SBAS are not an alarm`() {
        func add(_ strengths: [Double], to epoch: inout Bench.Epoch) {
            for (index, strength) in strengths.enumerated() {
                guard let id = SatelliteID(.sbas, 120 + index) else { continue }
                epoch.view.signals.append(
                    SatelliteSignal(id: id, signal: 1, elevation: 33, azimuth: 170, cn0: strength))
            }
            epoch.view.signals.sort { $0.sortKey < $1.sortKey }
        }
        var bench = Bench()
        bench.run(70) { add([41, 43, 44, 45, 47], to: &$0) }
        bench.run(20) { add([44, 44, 45, 44, 44], to: &$0) }
        #expect(bench.state == .ok && bench.monitor.counts(of: .signalSpread).hit == 0)
    }

    @Test func `one constant for all satellites from the start is an alarm if it is measured`() {
        let bench = Bench(after: 10) {
            // Only u-blox's chips report it, and they measure C/N0.
            $0.fix.accuracy.time = 30e-9
            $0.strengths { _ in 46 }
        }
        #expect(bench.state == .alarm && bench.tests == [.signalSpread])
    }

    @Test func `measured strengths that become one constant are an alarm`() {
        #expect(state(after: 6) { _ in 46 } == .alarm)
        var bench = Bench(after: 4) { $0.strengths { _ in 45 } }
        bench.run(16) { $0.strengths { _ in 46 } }
        #expect(bench.state == .alarm, "also if only the constant changes")
    }

    @Test func `signals at the end of another scale are not equally strong`() {
        var bench = Bench(after: 70) { epoch in
            let weakest = 80 + epoch.second.truncatingRemainder(dividingBy: 5)
            epoch.strengths { $0.id.svid == 1 ? weakest : 99 }
        }
        bench.run(30) { $0.strengths { _ in 99 } }
        #expect(bench.first(.alarm) == nil && bench.monitor.counts(of: .signalSpread).run > 90)
    }

    @Test func `strengths that become similar within minutes are those of a sky`() {
        var bench = Bench(after: 1500) { epoch in
            // The spread falls from 3 dB to 0.5 dB, for all and for each signal.
            let spread = 3 / (1 + epoch.second / 300)
            epoch.strengths { 45 + spread * side($0) }
        }
        #expect(bench.state == .ok && bench.first(.alarm) == nil)
        bench.run(40) { $0.strengths { 45 + 0.5 * side($0) } }
        #expect(bench.state == .ok)
    }

    @Test func `strengths remain equal for hours after they became so suddenly`() {
        var bench = Bench(after: 70)
        bench.run(1200) { $0.strengths { 45 + side($0) } }
        #expect(bench.state == .alarm, "the position agrees, but the test still hits")
    }

    @Test(arguments: [(1.4, Integrity.State.alarm), (1.8, .ok)])
    func `at the start, strengths must be more similar to cause an alarm`(
        spread: Double, state: Integrity.State
    ) {
        let bench = Bench(after: 70) { epoch in
            let level = 44 + epoch.second.truncatingRemainder(dividingBy: 3)
            epoch.strengths { level + spread * side($0) }
        }
        #expect(bench.state == state)
    }

    @Test func `high satellites are as similar as before when low ones are lost`() {
        func setStrengths(_ epoch: inout Bench.Epoch, low: Double, _ difference: Double) {
            let level = 46 + 0.2 * epoch.second.truncatingRemainder(dividingBy: 3)
            epoch.strengths { $0.id.svid < 3 ? low : level + difference * side($0) }
        }
        var bench = Bench(after: 130) { setStrengths(&$0, low: 32, 1.2) }
        bench.run(200) { setStrengths(&$0, low: 0, 1.2) }
        #expect(bench.state == .ok && bench.monitor.counts(of: .signalSpread).hit == 0)
        bench.run(8) { setStrengths(&$0, low: 0, 0.3) }
        #expect(bench.state == .alarm, "they become equally strong")
    }

    @Test func `a single list with similar strengths begins no series`() {
        let bench = Bench(after: 300) { epoch in
            let second = epoch.second.truncatingRemainder(dividingBy: 10)
            let spread = second == 0 ? 2.3 : second == 5 ? 1 : 1.9
            epoch.strengths { 45 + spread * side($0) }
        }
        #expect(bench.state == .ok && bench.monitor.counts(of: .signalSpread).hit == 0)
    }

    @Test(arguments: [(40.0, false), (15, true), (nil, true)])
    func `high satellites may be equally strong from the start`(elevation: Double?, isAlarm: Bool) {
        let bench = Bench(after: 70) { epoch in
            for index in epoch.view.signals.indices {
                epoch.view.signals[index].elevation = elevation
            }
            let rise = epoch.second.truncatingRemainder(dividingBy: 3)
            epoch.strengths { 44 + rise + side($0) }
        }
        #expect((bench.first(.alarm) != nil) == isAlarm)
    }

    @Test func `satellites that are reported with 0 dB-Hz do not hide equal strengths`() {
        func hide(_ epoch: inout Bench.Epoch) {
            for index in epoch.view.signals.indices where epoch.view.signals[index].id.svid < 3 {
                epoch.view.signals[index].cn0 = 0
            }
        }
        var bench = Bench(after: 70, hide)
        bench.run(6) { epoch in
            epoch.strengths { 46 + side($0) }
            hide(&epoch)
        }
        #expect(bench.state == .alarm && bench.tests == [.signalSpread])
    }

    @Test func `a spread of 3 dB counts as genuine`() {
        #expect(state(after: 20) { 44 + 3 * side($0) } == .ok)
    }

    @Test func `one system with equal strengths is an alarm beside others with different ones`() {
        let state = state(after: 8) {
            $0.id.constellation == .gps ? 45 + 0.5 * side($0) : $0.cn0 ?? 0
        }
        #expect(state == .alarm)
    }

    @Test func `five satellites are too few for all, but enough for one signal`() {
        func state(_ spread: Double) -> Integrity.State {
            let bench = Bench(after: 20) { epoch in
                epoch.view.signals.removeAll {
                    $0.id.constellation != .gps || $0.id.svid > 5
                }
                epoch.strengths { 45 + spread * side($0) }
            }
            return bench.state
        }
        #expect(state(1.5) == .unknown)
        #expect(state(0.5) == .alarm)
    }
}
