// SPDX-License-Identifier: MIT
import GNSS

/// All tests of one receiver.
struct Tests: Sendable {
    /// The types of all tests, in the order in which they run: first the tests of fixes, then those
    /// of satellites.
    static let all: [any EvidenceTest.Type] = ofFixes + ofSatellites

    private static let ofFixes: [any FixTest.Type] = [
        PositionStep.self, PositionGap.self, PositionFrozen.self, ClockStep.self, ClockRate.self,
        TimeJump.self, LeapSeconds.self, OscillatorChange.self, GainFall.self, JammingReport.self,
        SpoofingReport.self, DetectorSilent.self, ProtectionLevelLost.self,
    ]
    private static let ofSatellites: [any SkyTest.Type] = [
        SignalSpread.self, SignalFall.self, SignalLevel.self, SystemsLost.self, BelowHorizon.self,
        SignalsFrozen.self,
    ]

    private var step = PositionStep()
    private var gap = PositionGap()
    private var frozen = PositionFrozen()
    private var clockStep = ClockStep()
    private var clockRate = ClockRate()
    private var timeJump = TimeJump()
    private var leapSeconds = LeapSeconds()
    private var oscillator = OscillatorChange()
    private var gain = GainFall()
    private var jamming = JammingReport()
    private var spoofing = SpoofingReport()
    private var silent = DetectorSilent()
    private var protection = ProtectionLevelLost()
    private var spread = SignalSpread()
    private var fall = SignalFall()
    private var level = SignalLevel()
    private var systems = SystemsLost()
    private var horizon = BelowHorizon()
    private var signalsFrozen = SignalsFrozen()

    /// Runs the tests of fixes and passes their verdicts to `evaluator`.
    mutating func examine(
        _ epoch: EpochEvidence, _ evaluator: inout StateEvaluator,
        _ settings: IntegrityMonitor.Settings
    ) {
        var place = 0
        func run<Test: FixTest>(_ test: inout Test) {
            assert(Self.ofFixes[place] == Test.self)
            let verdict = test.examine(epoch, settings)
            evaluator.add(verdict, of: Test.self, at: place, epoch.moment, settings)
            place += 1
        }
        run(&step)
        run(&gap)
        run(&frozen)
        run(&clockStep)
        run(&clockRate)
        run(&timeJump)
        run(&leapSeconds)
        run(&oscillator)
        run(&gain)
        run(&jamming)
        run(&spoofing)
        run(&silent)
        run(&protection)
    }

    /// Runs the tests of satellites and passes their verdicts to `evaluator`.
    mutating func examine(
        _ sky: SkyEvidence, _ evaluator: inout StateEvaluator,
        _ settings: IntegrityMonitor.Settings
    ) {
        var place = Self.ofFixes.count
        func run<Test: SkyTest>(_ test: inout Test) {
            assert(Self.all[place] == Test.self)
            let verdict = test.examine(sky, settings)
            evaluator.add(verdict, of: Test.self, at: place, sky.moment, settings)
            place += 1
        }
        run(&spread)
        run(&fall)
        run(&level)
        run(&systems)
        run(&horizon)
        run(&signalsFrozen)
    }
}
