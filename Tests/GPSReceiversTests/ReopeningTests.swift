// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Testing

/// Receivers that are closed and opened again, as at SIGHUP. Undelayed, because their integrity
/// depends on the time between their epochs.
@Suite(.timeLimit(.generous), .undelayed)
struct ReopeningTests {
    @Test func `an alarm continues after the receiver is reopened, and is not reported again`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let pool = ReceiverPool()
        let session = pool.session(for: receiver.source)
        let (fixes, openings) = (Witness<Fix>(), Witness<Bool>())
        let alarms = Witness<AlarmChange>()
        let changes = pool.alarmChanges.observe { alarms.note($0) }.scoped
        let joined = session.join { update in
            switch update {
            case .condition(.open(_, nil), let former) where !former.isOpen: openings.note(true)
            case .epoch(let epoch): fixes.note(epoch.fix)
            default: break
            }
        }
        await receiver.waitForReader()
        // The receiver's time goes back.
        for second in Array(640..<650) + Array(625..<630) { await receiver.sendEpoch(second) }
        _ = await alarms.first(1)
        session.reopen()
        _ = await openings.first(2)
        for second in 660..<665 { await receiver.sendEpoch(second) }
        await fixes.wait { $0.time?.time.minute == 11 }
        let later = fixes.all.filter { $0.time?.time.minute == 11 }
        #expect(later.allSatisfy { $0.integrity?.state == .alarm })
        #expect(alarms.all.map(\.state) == ["alarm"])
        withExtendedLifetime((changes, joined)) {}
    }
}
