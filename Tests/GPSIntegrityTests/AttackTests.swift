// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// Scripted attacks. They show that the tests work as described, not that real attacks look like
/// this.
///
/// Each begins after twelve minutes, when the oscillator counts as warm.
@Suite(.timeLimit(.generous)) struct AttackTests {
    private static let start = 720.0

    /// A bench with a quiet history, at rest; `change` also applies to it.
    private func bench(
        speed: Double = 0, _ change: (inout Bench.Epoch) -> Void = { _ in }
    ) -> Bench {
        Bench(speed: speed, after: Self.start, change)
    }

    /// The values of a receiver with detectors, an oscillator and a gain.
    private func equip(_ epoch: inout Bench.Epoch) {
        (epoch.fix.jamming, epoch.fix.spoofing) = (JammingState.none, SpoofingState.none)
        epoch.fix.gain = 0.61
        let bias = Int32((-370 * epoch.second).truncatingRemainder(dividingBy: 1e6))
        epoch.fix.receiverClock = ReceiverClock(bias: bias)
        epoch.fix.accuracy.time = 20e-9
    }

    @Test func `a jammer that passes is a warning by the fall of C/N0 alone`() throws {
        var bench = bench()
        #expect(bench.state == .ok)
        bench.run(40) { epoch in
            let seconds = epoch.second - Self.start
            let loss = 15 * max(0, 1 - abs(seconds - 20) / 20)
            epoch.strengths { ($0.cn0 ?? 0) - loss }
        }
        let warning = try #require(bench.first(.warning, after: Self.start))
        #expect(warning <= Self.start + 20)
        #expect(bench.tests == [.signalFall])
        bench.run(65)
        #expect(bench.state == .ok && bench.monitor.integrity.reasons.isEmpty)
    }

    @Test func `a jammer that the receiver reports is a warning after two seconds, then an alarm`()
        throws
    {
        var bench = bench(equip)
        bench.run(40) { epoch in
            equip(&epoch)
            let seconds = epoch.second - Self.start
            let loss = 15 * max(0, 1 - abs(seconds - 20) / 20)
            epoch.strengths { ($0.cn0 ?? 0) - loss }
            epoch.fix.gain = Float(0.61 - loss * 0.028)
            epoch.fix.jamming = loss > 12 ? .critical : loss > 3 ? .warning : JammingState.none
            epoch.fix.jammedFrequency = loss > 3 ? 1_575_420_000 : nil
            if loss > 12 { epoch.lose() }
        }
        #expect(try #require(bench.first(.warning, after: Self.start)) <= Self.start + 8)
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 20)
        #expect(bench.text.contains("jamming at 1575.42 MHz"))
    }

    @Test func `a jump to false signals is an alarm with the first fix, by the clock`() throws {
        var bench = bench(equip)
        bench.run(30) { epoch in
            equip(&epoch)
            let seconds = epoch.second - Self.start
            guard seconds > 5 else {
                epoch.lose()
                return epoch.strengths { _ in 0 }
            }
            epoch.strengths { 48 + ($0.id.svid.isMultiple(of: 2) ? 0.5 : -0.5) }
            epoch.shift(400)
            epoch.shiftTime(1.2)
            epoch.fix.accuracy.horizontal = 3
            if seconds <= 8 { epoch.fix.spoofing = .indicated }
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 7)
        #expect(
            bench.tests.isSuperset(of: [.clockStep, .positionGap, .signalSpread, .spoofing]))
        // Five lists, which begin five seconds after the start.
        #expect(try #require(bench.first(.signalSpread)) <= Self.start + 5 + 5 + 2)
        #expect(bench.text.contains("receiver clock stepped 1.1"))
    }

    @Test func `equally strong satellites are an alarm after five lists`() throws {
        var bench = bench()
        bench.run(10) { $0.strengths { 46 + ($0.id.svid.isMultiple(of: 2) ? 1 : -1) } }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 5 + 2)
        #expect(bench.tests == [.signalSpread])
        #expect(bench.text.hasPrefix("C/N0 of 28 satellites is equal within 1.0 dB for "))
    }

    @Test func `a slow drag-off is an alarm by the strength of its signals`() throws {
        var bench = bench(equip)
        bench.run(60) { epoch in
            equip(&epoch)
            let seconds = epoch.second - Self.start
            let share = min(1, seconds / 10)
            // Position and velocity agree: the step shows nothing.
            epoch.shift(max(0, seconds - 10))
            epoch.fix.speed = seconds > 10 ? 1 : 0
            let strength = { (signal: SatelliteSignal) in
                let own = signal.cn0 ?? 0
                let false_ = 44 + (signal.id.svid.isMultiple(of: 2) ? 1.2 : -1.2)
                return own + 3 * share + (false_ - own - 3) * share
            }
            epoch.strengths(strength)
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 10 + 5 + 2)
        #expect(bench.tests == [.signalSpread])
    }

    @Test func `false signals of GPS alone are an alarm by their strength, and by the silence`()
        throws
    {
        var bench = bench(equip)
        bench.run(30) { epoch in
            equip(&epoch)
            epoch.strengths { signal in
                guard signal.id.constellation == .gps else { return (signal.cn0 ?? 0) - 30 }
                return 46 + (signal.id.svid.isMultiple(of: 2) ? 0.5 : -0.5)
            }
            epoch.fix.spoofing = nil
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 5 + 2)
        #expect(bench.tests.isSuperset(of: [.signalSpread, .systemsLost, .detectorSilent]))
        #expect(bench.text.contains("receiver no longer reports whether there is spoofing"))
    }

    @Test func `delayed true signals are an alarm by the step, and by the oscillator`() throws {
        var bench = bench(equip)
        bench.run(10) { epoch in
            equip(&epoch)
            epoch.strengths { ($0.cn0 ?? 0) + 4 }
            epoch.shift(300)
            epoch.fix.receiverClock?.bias? += 1000
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 2)
        #expect(bench.tests == [.positionStep, .receiverClock])
        #expect(bench.text.contains("moved 300 m in 1 s at a reported speed of 0 m/s"))
    }

    @Test func `time that is dragged along is an alarm by the oscillator within two seconds`()
        throws
    {
        var bench = bench(equip)
        bench.run(60) { epoch in
            equip(&epoch)
            epoch.fix.receiverClock?.bias? += Int32(100 * (epoch.second - Self.start))
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 2)
        #expect(bench.tests == [.receiverClock])
    }

    @Test(arguments: [true, false])
    func `a date 1024 weeks back is an alarm at once, also in a recording`(isLive: Bool) throws {
        var bench = Bench(isLive: isLive, after: Self.start)
        bench.run(10) { $0.shiftTime(-1024 * 7 * 86_400) }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 1)
        #expect(bench.text.contains("date jumped 1024 weeks backwards"))
    }

    @Test(arguments: [(1.0, 1.0), (-1.0, 40.0)])
    func `a wrong leap second is an alarm: forwards at once, backwards after half a minute`(
        step: Double, window: Double
    ) throws {
        var bench = bench()
        bench.run(60) { $0.shiftTime(step) }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + window)
        #expect(bench.tests == [.clockStep])
    }

    @Test func `a frozen receiver that drives is a warning after 50 m`() throws {
        var bench = bench(speed: 10)
        let place = Bench.place(bench.east)
        bench.run(20) { $0.fix.coordinate = place }
        #expect(
            try #require(bench.first(.warning, after: Self.start)) <= Self.start + 6 + 2,
            "\(bench.events)")
        #expect(bench.tests.contains(.positionFrozen))
    }

    @Test func `a frozen sky is a warning after a minute`() throws {
        var bench = bench()
        var frozen: SatelliteView?
        bench.run(80) { epoch in
            let view = frozen ?? epoch.view
            (epoch.view, frozen) = (view, view)
        }
        #expect(
            try #require(bench.first(.warning, after: Self.start)) <= Self.start + 60 + 4,
            "\(bench.events)")
        #expect(bench.tests == [.signalsFrozen])
    }

    @Test func `a receiver that starts under an attack is an alarm within seconds`() throws {
        let bench = Bench(after: 10) {
            $0.strengths { 46 + ($0.id.svid.isMultiple(of: 2) ? 1 : -1) }
        }
        #expect(try #require(bench.first(.alarm)) <= 7)
    }

    @Test func `a drag-off with realistic signal strengths is not detected by a single receiver`() {
        var bench = bench()
        bench.run(300) { epoch in
            epoch.shift(epoch.second - Self.start)
            (epoch.fix.speed, epoch.fix.course) = (1, 90)
        }
        #expect(bench.state == .ok)
    }
}
