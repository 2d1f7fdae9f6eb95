// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// Faults as a u-blox reports them.
@Suite(.timeLimit(.generous))
struct UBXFaultTests {
    @Test(arguments: Personality.pvt)
    func `a lost fix keeps the last position, with growing accuracies and no satellites`(
        _ personality: Personality
    ) throws {
        let run = UBXRun(.ubx(personality, [Fault(.lostFix, at: 3, for: 4)]), epochs: 12)
        let sent = try run.epochs.map { try #require($0.first(NavPVT.self)) }
        for (pvt, epoch) in zip(sent, run.epochs) {
            #expect(pvt.hasPosition == (epoch.observation.solution != nil))
        }
        for pvt in sent[3..<7] {
            #expect(pvt.fixType == .none && !pvt.flags.isFixOK && pvt.satellitesUsed == 0)
            #expect(pvt.latitude == sent[2].latitude && pvt.longitude == sent[2].longitude)
            #expect(pvt.positionDilution == nil && pvt.courseAccuracy == 180)
            #expect(pvt.validity.hasTime)
        }
        let accuracies = sent[2..<7].compactMap(\.horizontalAccuracy)
        #expect(accuracies.count == 5 && accuracies == accuracies.sorted())
        #expect(accuracies[4] > accuracies[0] + 50)
        #expect(sent[11].hasPosition)
        let satellites = run.epochs[4].first(NavSAT.self)?.satellites ?? []
        #expect(satellites.allSatisfy { !$0.flags.isUsed })
        if let precise = run.epochs[4].first(NavHPPOSLLH.self) {
            #expect(precise.flags.isPositionInvalid)
        }
        if let cov = run.epochs[4].first(NavCOV.self) { #expect(cov.isPositionValid == 0) }
        if let levels = run.epochs[4].first(NavPL.self) { #expect(levels.isPositionValid == 0) }
    }

    @Test func `before the first fix there is neither position nor accuracy`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.f9p)
        configuration.acquisition = .cold
        let epoch = try #require(UBXRun(configuration, epochs: 1).epochs.first)
        let pvt = try #require(epoch.first(NavPVT.self))
        #expect(!pvt.hasPosition && pvt.moreFlags.isPositionInvalid)
        #expect(pvt.latitude == 0 && pvt.longitude == 0 && pvt.altitude == -17)
        #expect(pvt.horizontalAccuracy == nil && pvt.verticalAccuracy == nil)
        #expect(pvt.speedAccuracy == 20)
    }

    @Test func `a solution in two dimensions is of type 2, with a poor altitude`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox8)
        configuration.acquisition = Acquisition(time: 0, twoD: 1, threeD: 600)
        let run = UBXRun(configuration, epochs: 500)
        let flat = try #require(run.epochs.first { $0.observation.solution?.mode == .twoD })
        let pvt = try #require(flat.first(NavPVT.self))
        #expect(pvt.fixType == .twoD && pvt.hasPosition)
        #expect(try #require(pvt.verticalAccuracy) > 50)
        #expect(flat.first(NavDOP.self)?.vertical == nil)
    }

    @Test func `a jammer is seen by the detectors where the chip reports it`() throws {
        let faults: FaultScript = [Fault(.jamming, at: 2, for: 2)]
        let old = UBXRun(.ubx(.ublox8, faults), epochs: 3).epochs
        #expect(old[1].first(MonHW.self)?.flags.jamming == UBXJammingState.none)
        let hw = try #require(old[2].first(MonHW.self))
        #expect(hw.flags.jamming == .critical && hw.continuousWave > 200)
        let before = try #require(old[1].first(MonHW.self))
        #expect(hw.gain < before.gain / 2)

        let new = UBXRun(.ubx(.ublox10, faults), epochs: 3).epochs
        let seen = new.map { $0.first(MonRF.self)?.blocks.first?.jamming }
        #expect(seen == [UBXJammingState.none, UBXJammingState.none, .critical])

        let f9p = UBXRun(.ubx(.f9p, faults), epochs: 3).epochs
        let rf = try #require(f9p[2].first(MonRF.self))
        #expect(rf.blocks.map(\.number) == [0, 1])
        // From HPG 1.50 on, the state is only in SEC-SIG.
        #expect(rf.blocks.allSatisfy { $0.jamming == .unknown && $0.continuousWave > 200 })
        let states = f9p.map { $0.first(SecSIG.self)?.jamming }
        #expect(states == [UBXJammingState.none, UBXJammingState.none, .critical])
        let sig = try #require(f9p[2].first(SecSIG.self))
        #expect(sig.isJammingDetectorOn && sig.spoofing == .none)
        #expect(sig.frequencies.count == 6 && sig.frequencies.allSatisfy(\.isJammed))
    }

    @Test func `the fault bad-checksums also affects frames`() {
        let faults: FaultScript = [Fault(.badChecksums)]
        let run = UBXRun(.ubx(.ublox10, faults), epochs: 3)
        #expect(run.epochs.allSatisfy { $0.frames.isEmpty && !$0.rest.isEmpty })
    }

    @Test func `glue-sentences keeps frames whole, and other frames are inserted between`() {
        let glued = UBXRun(.ubx(.f9p, [Fault(.gluedSentences)], .both), epochs: 2)
        let whole = UBXRun(.ubx(.f9p, [], .both), epochs: 2)
        #expect(glued.epochs.map(\.frames.count) == whole.epochs.map(\.frames.count))
        let injected = UBXRun(.ubx(.ublox10, [Fault(.binaryFrames(.rtcm3))]), epochs: 2)
        let plain = UBXRun(.ubx(.ublox10), epochs: 2)
        #expect(injected.epochs.map(\.frames.count) == plain.epochs.map(\.frames.count))
        #expect(injected.epochs.allSatisfy { $0.rest.contains(0xD3) })
    }
}
