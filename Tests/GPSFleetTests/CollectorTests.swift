// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import Testing

/// The messages that a collector stores, rejects and acknowledges.
@Suite(.timeLimit(.generous))
struct CollectorTests {
    /// A message that counts its acknowledgements.
    private final class Message: StreamMessage {
        let subject: String
        let stream = "GPS"
        let sequence: UInt64
        let bytes: [UInt8]
        private(set) var acknowledgementCount = 0

        init(_ subject: String, _ sequence: UInt64, _ bytes: [UInt8]) {
            self.subject = subject
            self.sequence = sequence
            self.bytes = bytes
        }

        func acknowledge() { acknowledgementCount += 1 }
    }

    /// A store that refuses the fix with the sequence number 13, as a database refuses data.
    private final class Store: FixStore {
        let name = "store"
        private(set) var stored: [Int64] = []
        private(set) var rejected: [UInt64] = []

        func open() {}

        func store(
            _ batches: [FixBatch], rejected: [RejectedMessage]
        ) throws(StoreError) -> StoredCount {
            let sequences = batches.flatMap { $0.rows.map(\.sequence) }
            guard !sequences.contains(13) else { throw StoreError(.data, "out of range") }
            stored += sequences
            self.rejected += rejected.map(\.sequence)
            var count = StoredCount()
            count.new = sequences.count
            return count
        }

        func dropDays(olderThan days: Int, engineDay: Int?) -> Int { 0 }
    }

    private let member: MemberName

    init() throws {
        member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
    }

    private func message(_ sequence: Int64) -> Message {
        let row = FixRow(sequence: sequence, time: nil, received: 0)
        let batch = FixBatch(member: member, boot: "boot", origin: .live, rows: [row])
        return Message(member.subject, UInt64(sequence), batch.encoded())
    }

    /// Collects messages, and returns the subjects of those that were reported as rejected.
    private func collect(
        _ messages: [Message], into store: Store
    ) throws -> (rejected: [String], count: StoredCount) {
        let rejected = Witness<String>()
        let collector = Collector(Collector.Settings()) { event in
            if case .rejected(let subject, _) = event { rejected.note(subject) }
        }
        try collector.collect(messages, store)
        #expect(messages.allSatisfy { $0.acknowledgementCount == 1 })
        return (rejected.all, collector.count)
    }

    @Test func `each rejected message is reported once, also if the store refuses another one`()
        throws
    {
        let store = Store()
        let malformed = Message("gps.f.b.malformed", 2, Array("{}".utf8))
        let result = try collect([message(1), malformed, message(13), message(14)], into: store)
        #expect(result.rejected == ["gps.f.b.malformed", member.subject])
        #expect(result.count.new == 2)
        #expect(store.stored == [1, 14])
        #expect(store.rejected == [2, 13])
    }

    @Test func `refused acknowledgements, each with its own subject, are reported once`() {
        let reasons = Witness<String>()
        let collector = Collector(Collector.Settings()) { event in
            if case .refused(let reason) = event { reasons.note(reason) }
        }
        for sequence in 1...3 {
            collector.report(
                error: "Permissions Violation for Publish to "
                    + "\"$JS.ACK.GPS.gpx.1.\(sequence).\(sequence).1795715699017243893.2\"")
            collector.report(error: "slow consumer")
        }
        #expect(reasons.all.count == 2)
        #expect(reasons.all.first?.contains("publish to $JS.ACK.>") == true)
    }

    @Test func `a message under another member's subject is rejected`() throws {
        let store = Store()
        let other = Message("gps.f.b.other", 1, message(1).bytes)
        #expect(try collect([other], into: store).rejected == ["gps.f.b.other"])
        #expect(store.stored.isEmpty && store.rejected == [1])
    }
}
