// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Testing

/// Observers that leave a session while it sends an update.
@Suite(.timeLimit(.generous))
struct SessionObserversTests {
    @Test(arguments: [false, true])
    func `an observer that leaves during an update gets no later call, and the others get theirs`(
        leavesByItself: Bool
    ) async throws {
        let receiver = try ScriptedReceiver()
        let session = ReceiverPool().session(for: receiver.source)
        let (calls, leaving) = (Witness<String>(), Witness<ScopedSubscription>())
        let openings = Witness<String>()
        /// Joins an observer that notes its calls.
        func join(_ name: String, leaves: Bool) -> ScopedSubscription {
            session.join { update in
                if let device = update.openedDevice { openings.note(device) }
                guard case .epoch = update else { return }
                calls.note(name)
                if leaves { leaving.all.first?.dispose() }
            }
        }
        let first = join("first", leaves: !leavesByItself)
        leaving.note(join("second", leaves: leavesByItself))
        let third = join("third", leaves: false)
        _ = await openings.first(3)
        await receiver.waitForReader()
        for second in 0..<5 { await receiver.sendEpoch(second) }
        let expected = ["first"] + (leavesByItself ? ["second"] : []) + ["third", "first", "third"]
        #expect(await calls.first(expected.count) == expected)
        #expect(calls.all.count(where: { $0 == "second" }) == (leavesByItself ? 1 : 0))
        withExtendedLifetime((first, third)) {}
    }
}

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
