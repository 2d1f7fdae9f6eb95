// SPDX-License-Identifier: MIT
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Testing

/// The way of fixes from the inbox into the spool.
@Suite(.timeLimit(.generous))
struct PublisherTests {
    /// Publishes the fixes in an inbox until the spool has failed and is tried once more. Returns
    /// the number of fixes in the spool.
    private func spooledCount(
        _ inbox: PublisherInbox, path: String, refusing condition: String
    ) async throws -> Int {
        try await Task {
            let spool = try Spool(path: path)
            try spool.database.run(
                "CREATE TRIGGER refusal BEFORE INSERT ON fix WHEN \(condition) "
                    + "BEGIN SELECT RAISE(ABORT, 'refused'); END")
            let target = Publisher.Target(
                try EngineURL("nats://hub"), engine: NotingEngine(), format: BatchFormat(for: .nats)
            )
            let log = MessageLog { text, _ in
                guard text.hasPrefix("fixes wait in memory") else { return }
                // The end of the task is the next attempt.
                withUnsafeCurrentTask { $0?.cancel() }
            }
            let publisher = try Publisher(
                inbox, spool: spool, targets: [target], settings: PublishSettings(), log: log)
            try await publisher.run(receiverCount: 1)
            return spool.count
        }.value
    }

    @Test func `fixes that the spool has stored are not stored again after it refuses later ones`()
        async throws
    {
        let folder = try TemporaryFolder()
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
        let inbox = try PublisherInbox()
        let now = BridgeClock.now
        // More than one transaction, as after a time with a full disk.
        inbox.append(
            (0..<15_000).map { number in
                PublisherInbox.Incoming(
                    member: member, origin: .live,
                    row: FixRow(sequence: 0, time: nil, received: now + Int64(number)))
            })
        let count = try await spooledCount(
            inbox, path: folder.path("spool.sqlite"), refusing: "NEW.received=\(now + 12_000)")
        #expect(count == 10_000)
    }
}
