// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import Glibc
import NMEA
import Testing

@testable import GPSFleet

/// Fixes on their way from the inbox to the spool.
@Suite(.timeLimit(.generous))
struct PublisherTests {
    /// Publishes the fixes in an inbox until the spool has failed and is tried once more. `lines`
    /// receives the log. Returns the number of fixes in the spool.
    private func spooledCount(
        _ inbox: PublisherInbox, path: String, refusing condition: String,
        lines: Witness<String> = Witness()
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
                lines.note(text)
                guard text.hasPrefix("the spool \(path) cannot be written: ") else { return }
                // The end of the task is the next attempt.
                withUnsafeCurrentTask { $0?.cancel() }
            }
            let publisher = try Publisher(
                inbox, spool: spool, targets: [target], settings: PublishSettings(), log: log)
            try await publisher.run(receiverCount: 1)
            return spool.count
        }.value
    }

    /// An inbox with fixes of one receiver, each a millisecond after the other.
    private func inbox(_ count: Int, from time: Int64) throws -> PublisherInbox {
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
        let inbox = try PublisherInbox()
        inbox.append(
            (0..<count).map { number in
                PublisherInbox.Incoming(
                    member: member, origin: .live,
                    row: FixRow(sequence: 0, time: nil, received: time + Int64(number)))
            })
        return inbox
    }

    @Test func `fixes that the spool has stored are not stored again after it refuses later ones`()
        async throws
    {
        let folder = try TemporaryFolder()
        let now = BridgeClock.now
        // More than one transaction, as after a time with a full disk.
        let count = try await spooledCount(
            try inbox(15_000, from: now), path: folder.path("spool.sqlite"),
            refusing: "NEW.received=\(now + 12_000)")
        #expect(count == 10_000)
    }

    @Test func `fixes that the spool never stores are counted once, with those in memory`()
        async throws
    {
        let folder = try TemporaryFolder()
        let lines = Witness<String>()
        // The memory holds 100,000 of them until the end.
        let count = try await spooledCount(
            try inbox(100_010, from: BridgeClock.now), path: folder.path("spool.sqlite"),
            refusing: "1", lines: lines)
        #expect(count == 0)
        #expect(
            lines.all.last
                == "100010 fixes were dropped because the spool could not store them: an earlier "
                + "message gives the reason")
    }

    @Test func `a publisher reports whether a receiver had no valid sentence or failed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let empty = ReceiverCondition.Ending(Statistics(), nil)
        let failed = ReceiverCondition.Ending(
            Statistics(), DeviceError(.ioFailed, device: "gps"))
        let cases: [(endings: [ReceiverCondition.Ending], outcome: PublisherInbox.Outcome)] = [
            ([empty], .nothingFound), ([failed, empty], .failed),
        ]
        for (endings, outcome) in cases {
            let inbox = try PublisherInbox()
            for ending in endings { inbox.end(PublisherInbox.Outcome(ending)) }
            let target = Publisher.Target(
                try EngineURL("nats://hub"), engine: NotingEngine(), format: BatchFormat(for: .nats)
            )
            let publisher = try Publisher(
                inbox, spool: try Spool(path: folder.path("\(outcome).sqlite")), targets: [target],
                settings: PublishSettings(), log: MessageLog { _, _ in })
            try await publisher.run(receiverCount: endings.count)
            #expect(publisher.outcome == outcome)
        }
    }

    @Test func `a spool that is deleted while it is used is reported, with the fixes in it`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("spool.sqlite")
        let inbox = try inbox(3, from: BridgeClock.now)
        let lines = Witness<String>()
        try await Task {
            let spool = try Spool(path: path)
            let target = Publisher.Target(
                try EngineURL("nats://hub"), engine: NotingEngine(), format: BatchFormat(for: .nats)
            )
            let publisher = try Publisher(
                inbox, spool: spool, targets: [target], settings: PublishSettings(),
                log: MessageLog { text, _ in lines.note(text) })
            #expect(!spool.isDeleted)
            try #require(unlink(path) == 0)
            withUnsafeCurrentTask { $0?.cancel() }
            try await publisher.run(receiverCount: 1)
        }.value
        #expect(lines.all.first?.contains("spool.sqlite was deleted") == true)
        #expect(lines.all.last == "3 fixes are lost, because \(path) was deleted")
    }

    @Test func `a spool that is damaged while it is used ends the program, and is then renamed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("spool.sqlite")
        let inbox = try inbox(1, from: BridgeClock.now)
        let error = try await Task {
            let spool = try Spool(path: path)
            let target = Publisher.Target(
                try EngineURL("nats://hub"), engine: NotingEngine(), format: BatchFormat(for: .nats)
            )
            let publisher = try Publisher(
                inbox, spool: spool, targets: [target], settings: PublishSettings(),
                log: MessageLog { _, _ in })
            try spool.database.run(
                "PRAGMA writable_schema=ON;"
                    + "UPDATE sqlite_master SET rootpage=999999 WHERE name='fix';"
                    + "PRAGMA writable_schema=RESET; PRAGMA schema_version=99")
            return await #expect(throws: FleetError.self) {
                try await publisher.run(receiverCount: 1)
            }
        }.value
        #expect(error?.description.contains("start publish again") == true)
        var message = ""
        #expect(try Spool(path: path) { message = $0 }.count == 0)
        #expect(message.contains("spool.sqlite.damaged"))
    }
}

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
