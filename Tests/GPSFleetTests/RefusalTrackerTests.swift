// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Testing

@testable import GPSFleet

/// The memory of the messages with which an engine fails.
@Suite(.timeLimit(.generous))
struct RefusalTrackerTests {
    private let failure = EngineRefusal(
        "HTTP status 500", isOfReceiver: false, mayBeTemporary: true)
    private let now = MonotonicInstant.now

    private func message(_ number: Int) throws -> PendingMessage {
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r\(number % 64)"))
        return PendingMessage(
            message: EngineMessage(destination: "", id: "\(number)", bytes: []), member: member,
            origin: .backlog, sent: now)
    }

    @Test func `at most 4096 failing messages are remembered`() throws {
        var tracker = RefusalTracker()
        for number in 0..<4096 { _ = try tracker.add(message(number), failure, now: now) }
        // A message that fails again needs no more memory, so all are still remembered.
        _ = try tracker.add(message(0), failure, now: now)
        let known = (0...4096).filter { tracker.isSuspected("\($0)") }
        #expect(known == Array(0..<4096))
        _ = try tracker.add(message(4096), failure, now: now)
        let others = (0...4096).filter { tracker.isSuspected("\($0)") }
        #expect(others == [4096])
    }
}
