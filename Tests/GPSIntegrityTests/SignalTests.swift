// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// The soft tests of satellites.
@Suite(.timeLimit(.generous)) struct SignalTests {
    private func bench(_ seconds: Double, _ change: (inout Bench.Epoch) -> Void) -> Bench {
        var bench = Bench(after: 70)
        bench.run(seconds, change)
        return bench
    }

    @Test(arguments: [(5.0, Integrity.State.ok), (9, .warning)])
    func `a fall of all satellites by more than 6 dB is a warning`(
        fall: Double, state: Integrity.State
    ) {
        let bench = bench(5) { $0.strengths { ($0.cn0 ?? 0) - fall } }
        #expect(bench.state == state)
    }

    @Test func `a fall is noticed in a recording in which the date was corrected by 1024 weeks`() {
        var bench = Bench(isLive: false, after: 40) { $0.shiftTime(-1024 * 7 * 86_400) }
        bench.run(100)
        #expect(bench.state == .ok)
        bench.run(5) { $0.strengths { ($0.cn0 ?? 0) - 9 } }
        #expect(bench.state == .warning && bench.tests == [.signalFall])
    }

    @Test func `one satellite behind a mast does not count as a fall`() {
        let bench = bench(20) { $0.strengths { ($0.cn0 ?? 0) - ($0.id.svid == 7 ? 15 : 0) } }
        #expect(bench.state == .ok)
    }

    @Test func `satellites that are reported with 0 dB-Hz are not received`() {
        func lose(_ epoch: inout Bench.Epoch, if isLost: (SatelliteID) -> Bool) {
            for index in epoch.view.signals.indices where isLost(epoch.view.signals[index].id) {
                epoch.view.signals[index].cn0 = 0
            }
        }
        let obstructed = bench(20) { lose(&$0) { $0.svid < 4 } }
        #expect(obstructed.state == .ok && obstructed.tests.isEmpty)
        let alone = bench(20) { lose(&$0) { $0.constellation != .gps } }
        #expect(alone.state == .warning && alone.tests == [.systemsLost])
    }

    @Test func `satellites that have just been found may vanish`() {
        var bench = Bench(after: 20)
        bench.run(10) { $0.strengths { ($0.cn0 ?? 0) - 12 } }
        #expect(bench.tests.isEmpty)
    }

    @Test(arguments: [(55.0, Integrity.State.ok), (60, .warning)])
    func `a satellite that is stronger than any in the sky is a warning`(
        strength: Double, state: Integrity.State
    ) {
        let bench = bench(5) { $0.strengths { $0.id.svid == 7 ? strength : $0.cn0 ?? 0 } }
        #expect(bench.state == state)
    }

    @Test func `a mean of 53 dB-Hz is a warning`() {
        let bench = bench(5) { $0.strengths { 48 + Double($0.id.svid) * 1.3 } }
        #expect(bench.state == .warning && bench.tests == [.signalLevel])
        #expect(bench.text.hasPrefix("mean C/N0 of 28 satellites is 53.2 dB-Hz"))
    }

    @Test func `switching off one of three systems causes no warning`() {
        let bench = bench(20) { $0.strengths { $0.id.constellation == .glonass ? 0 : $0.cn0 ?? 0 } }
        #expect(bench.state == .ok)
    }

    @Test func `all systems but one vanish: a warning, for a minute`() {
        var bench = bench(20) { $0.strengths { $0.id.constellation == .gps ? $0.cn0 ?? 0 : 0 } }
        #expect(bench.state == .warning && bench.tests == [.systemsLost])
        bench.run(130) { $0.strengths { $0.id.constellation == .gps ? $0.cn0 ?? 0 : 0 } }
        #expect(bench.state == .ok)
    }

    @Test func `systems that fade one after the other cause no warning`() {
        let others: [Constellation] = [.galileo, .beiDou, .glonass]
        let bench = bench(200) { epoch in
            let seconds = epoch.second - 70
            let gone = others.prefix(Int(seconds / 60))
            epoch.strengths {
                guard let index = others.firstIndex(of: $0.id.constellation) else {
                    return $0.cn0 ?? 0
                }
                // Down to two satellites, for longer than ten seconds.
                if gone.contains($0.id.constellation) { return 0 }
                let isFading = seconds > Double(index) * 60 + 30
                return isFading && $0.id.svid < 6 ? 0 : $0.cn0 ?? 0
            }
        }
        #expect(bench.state == .ok)
    }

    @Test func `a used satellite below the horizon is a warning, but not from an aeroplane`() {
        func sink(_ epoch: inout Bench.Epoch, altitude: Double) {
            epoch.fix.ellipsoidalAltitude = altitude
            for index in epoch.view.signals.indices where epoch.view.signals[index].id.svid == 1 {
                epoch.view.signals[index].elevation = -2
            }
        }
        let ground = bench(5) { sink(&$0, altitude: 214) }
        #expect(ground.state == .warning && ground.tests == [.belowHorizon])
        #expect(ground.text == "a satellite 2 degrees below the horizon is used")
        #expect(bench(5) { sink(&$0, altitude: 11_000) }.state == .ok)
    }

    @Test func `the atmosphere shows satellites just below the horizon`() {
        let bench = bench(20) { epoch in
            for index in epoch.view.signals.indices where epoch.view.signals[index].id.svid == 1 {
                epoch.view.signals[index].elevation = -1
            }
        }
        #expect(bench.state == .ok)
    }

    @Test func `strengths on a scale of 0 to 99 are not C/N0, unless they are so suddenly`() {
        let bench = Bench(after: 200) { $0.strengths { 2 * ($0.cn0 ?? 0) } }
        #expect(bench.first(.warning) == nil)
        #expect(self.bench(5) { $0.strengths { 2 * ($0.cn0 ?? 0) } }.state == .warning)
    }

    @Test func `a receiver that does not measure strengths is not frozen`() {
        var bench = Bench()
        var first: SatelliteView?
        bench.run(200) { epoch in
            epoch.strengths { _ in 40 }
            first = first ?? epoch.view
            epoch.view = first ?? epoch.view
        }
        #expect(bench.first(.warning) == nil && bench.first(.alarm) == nil)
    }

    @Test(arguments: [(5, false), (6, true)])
    func `a satellite on two bands counts once among the six that can be frozen`(
        count: Int, isFrozen: Bool
    ) {
        var bench = Bench()
        var first: SatelliteView?
        bench.run(100) { epoch in
            var view = first ?? epoch.view
            if first == nil {
                view.signals.removeAll {
                    $0.id.constellation != .gps || Int($0.id.svid) > count
                }
                for var signal in view.signals {
                    signal.signal = 6
                    view.signals.append(signal)
                }
                view.signals.sort { $0.sortKey < $1.sortKey }
            }
            first = view
            epoch.view = view
        }
        #expect(bench.tests.contains(.signalsFrozen) == isFrozen)
    }

    @Test func `a gain that falls to a third is a warning, to a half is not`() {
        func state(_ share: Float) -> Integrity.State {
            var bench = Bench(after: 200) { $0.fix.gain = 0.6 }
            bench.run(5) { $0.fix.gain = 0.6 * share }
            return bench.state
        }
        #expect(state(0.33) == .warning)
        #expect(state(0.5) == .ok)
    }
}
