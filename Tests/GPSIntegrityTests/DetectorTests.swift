// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// The receiver's own reports of jamming and spoofing.
@Suite(.timeLimit(.generous)) struct DetectorTests {
    private func bench(_ seconds: Double, _ change: (inout Bench.Epoch) -> Void) -> Bench {
        var bench = Bench(after: 70) {
            ($0.fix.jamming, $0.fix.spoofing) = (JammingState.none, SpoofingState.none)
        }
        bench.run(seconds, change)
        return bench
    }

    @Test func `critical jamming is an alarm with a position, a warning without`() {
        #expect(bench(1) { $0.fix.jamming = .critical }.state == .alarm)
        let lost = bench(5) {
            $0.lose()
            $0.fix.jamming = .critical
        }
        #expect(lost.state == .warning && lost.text == "receiver reports critical jamming")
    }

    @Test func `critical jamming that is reported after an epoch without a fix is a warning`() {
        var bench = bench(5) {
            $0.lose()
            $0.fix.jamming = .critical
        }
        // The report belongs to the last epoch, but is part of the next fix.
        bench.run(1) { $0.fix.jamming = .critical }
        #expect(bench.state == .warning && bench.tests == [.jamming])
        bench.run(5) { $0.fix.jamming = .warning }
        #expect(bench.state == .warning)
        bench.run(1) { $0.fix.jamming = .critical }
        #expect(bench.state == .alarm)
    }

    @Test(arguments: [SpoofingState.indicated, .affirmed])
    func `spoofing is an alarm in its first epoch`(state: SpoofingState) {
        let bench = bench(1) { $0.fix.spoofing = state }
        #expect(bench.state == .alarm && bench.tests == [.spoofing])
        #expect(bench.text.hasPrefix("receiver reports spoofing"))
    }

    @Test func `a detector that stops reporting causes a warning for a minute`() {
        var bench = bench(5) { $0.fix.jamming = JammingState.none }
        #expect(bench.state == .warning && bench.tests == [.detectorSilent])
        bench.run(130)
        #expect(bench.state == .ok)
    }

    @Test func `a joined log whose second receiver has no detectors causes no warning`() {
        var bench = Bench(isLive: false, after: 70) {
            ($0.fix.jamming, $0.fix.spoofing) = (JammingState.none, SpoofingState.none)
            $0.fix.protectionLevel = ProtectionLevel(horizontal: 3, vertical: 5, risk: 1e-7)
        }
        bench.period = 3600
        bench.run(3600)
        bench.period = 1
        bench.run(10)
        #expect(bench.tests.isEmpty)
    }

    @Test func `a detector that is silent without a fix causes no warning`() {
        #expect(bench(20) { $0.lose() }.state == .ok)
    }

    @Test func `a state that was polled once is not missed`() {
        var bench = Bench(after: 70)
        bench.run(10) { $0.fix.jamming = JammingState.none }
        bench.run(10)
        #expect(bench.state == .ok)
    }

    @Test func `a protection level that is lost is a warning`() {
        var bench = Bench(after: 70) {
            $0.fix.protectionLevel = ProtectionLevel(horizontal: 3, vertical: 5, risk: 1e-7)
        }
        #expect(bench.monitor.integrity.evidence.contains(.detector))
        bench.run(5)
        #expect(bench.state == .warning && bench.tests == [.protectionLevel])
    }

    private static func authentication(_ state: FixAuthentication.State) -> FixAuthentication {
        FixAuthentication(state: state, satellites: 6, failed: state == .failed ? 2 : 0)
    }

    @Test func `signatures of Galileo that do not fit are an alarm`() {
        var bench = Bench(after: 70) { $0.fix.authentication = Self.authentication(.authenticated) }
        #expect(bench.state == .ok)
        bench.run(1) { $0.fix.authentication = Self.authentication(.failed) }
        #expect(bench.state == .alarm && bench.tests == [.authenticationFailed])
        #expect(
            bench.monitor.integrity.reasons.first?.text
                == "Galileo's signatures do not fit the data of 2 satellites that are used")
    }

    @Test
    func `satellites that are no longer authenticated are a warning, and unknown ones are none`() {
        var bench = Bench(after: 70) { $0.fix.authentication = Self.authentication(.partial) }
        bench.run(5) { $0.fix.authentication = Self.authentication(.unknown) }
        #expect(bench.state == .warning && bench.tests == [.authenticationLost])
        var other = Bench(after: 70) { $0.fix.authentication = Self.authentication(.unknown) }
        other.run(5)
        #expect(other.state == .ok)
    }
}
