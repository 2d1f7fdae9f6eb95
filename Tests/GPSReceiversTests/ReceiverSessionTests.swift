// SPDX-License-Identifier: MIT
import Delegation
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
