// SPDX-License-Identifier: MIT

/// All tests of one receiver.
struct Tests: Sendable {
    typealias Settings = IntegrityMonitor.Settings

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

    private var fixTests: [any FixTest] = Self.ofFixes.map { $0.init() }
    private var skyTests: [any SkyTest] = Self.ofSatellites.map { $0.init() }

    /// Runs the tests of fixes and passes their verdicts to `evaluator`.
    mutating func examine(
        _ epoch: EpochEvidence, _ evaluator: inout StateEvaluator, _ settings: Settings
    ) {
        for index in fixTests.indices {
            let verdict = fixTests[index].examine(epoch, settings)
            evaluator.add(verdict, ofTestAt: index, epoch.moment, settings)
        }
    }

    /// Runs the tests of satellites and passes their verdicts to `evaluator`.
    mutating func examine(
        _ sky: SkyEvidence, _ evaluator: inout StateEvaluator, _ settings: Settings
    ) {
        for index in skyTests.indices {
            let verdict = skyTests[index].examine(sky, settings)
            evaluator.add(verdict, ofTestAt: fixTests.count + index, sky.moment, settings)
        }
    }
}
