// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import SimulatedDevices
import Testing

/// Attacks on the signals of simulated receivers, whose bytes are decoded and examined.
@Suite(.timeLimit(.generous)) struct SimulatedAttackTests {
    /// Eleven minutes, after which the oscillator counts as warm.
    private static let warmUp = 660

    @Test(arguments: ExaminedReceiver.Kind.allCases, [false, true])
    func `a receiver notices each attack within its window, or never`(
        _ kind: ExaminedReceiver.Kind, isDriving: Bool
    ) throws {
        var receiver = try ExaminedReceiver(
            kind, seed: 39, isDriving: isDriving, isUrban: isDriving)
        receiver.run(seconds: Self.warmUp)
        #expect(receiver.integrity.state == .ok)
        #expect(!receiver.events.contains { $0.isRaised })
        for attack in ScriptedAttack.all {
            let (attacked, start) = try attack.run(on: receiver)
            let first = attacked.events.first { $0.isRaised && $0.second >= start }
            guard let window = attack.windows[kind] else {
                #expect(first == nil, "\(attack.fault): \(attacked.integrity.reasons)")
                continue
            }
            let delay = first.map { $0.second - start }
            #expect(delay ?? .max <= window + 2, "\(attack.fault): \(String(describing: first))")
        }
    }

    @Test
    func `the monitor of a single receiver does not detect a careful drag-off`()
        throws
    {
        var receivers = try (0..<3).map {
            try ExaminedReceiver(.m10, seed: UInt64(7 + $0), isDriving: false, isUrban: false)
        }
        receivers[2].add(try Fault("100s: careful-drag 1n"))
        for index in receivers.indices {
            receivers[index].run(seconds: 160)
            #expect(receivers[index].integrity.state == .ok)
        }
    }
}
