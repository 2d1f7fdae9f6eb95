// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Testing

/// Messages that an engine has acknowledged and may still lose.
@Suite(.timeLimit(.generous))
struct KeptMessagesTests {
    private let folder: TemporaryFolder
    private let spool: Spool
    private let bit: Int64
    private let stream: Spool.Stream
    private let engine = NotingEngine()
    private let start = MonotonicInstant.now

    init() throws {
        folder = try TemporaryFolder()
        spool = try Spool(path: folder.path("spool.sqlite"))
        bit = try spool.setTargets(["engine"])[0]
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
        stream = try spool.addStreams([(member, .live)], boot: "boot")[0]
    }

    private func delivery(_ settings: PublishSettings = PublishSettings()) throws -> Delivery {
        Delivery(
            name: "engine", bit: bit, engine: engine, format: BatchFormat(for: .nats),
            settings: settings, backlog: try spool.range(), kept: try spool.kept(bit: bit),
            now: start)
    }

    private func receipt(_ number: UInt64, isDuplicate: Bool = false) -> StoreReceipt {
        StoreReceipt(
            position: StreamPosition(stream: "GPS", number: number), isDuplicate: isDuplicate)
    }

    /// Sends a fix, which the engine stores with that number; returns the ID of the message.
    @discardableResult
    private func send(
        _ delivery: inout Delivery, as number: UInt64, at second: Int
    ) throws -> String {
        let now = start + .seconds(second)
        var entries = [
            Spool.Entry(
                stream: stream.number, row: FixRow(sequence: 0, time: 1000, received: 1000))
        ]
        try spool.append(&entries)
        delivery.offer(entries, now: now)
        _ = try delivery.work(spool, now: now)
        let id = try #require(try engine.take().last?.id)
        try answer(&delivery, .stored(id: id, receipt(number)), at: second)
        return id
    }

    private func answer(
        _ delivery: inout Delivery, _ event: EngineEvent, at second: Int
    ) throws {
        let now = start + .seconds(second)
        delivery.handle(event, now: now)
        try delivery.acknowledge(spool)
        _ = try delivery.work(spool, now: now)
        try delivery.acknowledge(spool)
    }

    private func interrupt(_ delivery: inout Delivery, at second: Int) throws {
        try answer(&delivery, .disconnected("gone"), at: second)
        try answer(&delivery, .connected, at: second)
    }

    /// Answers all questions and messages like an engine that has stored messages at those
    /// positions; returns the IDs of the messages that were sent.
    private func settle(
        _ delivery: inout Delivery, _ positions: inout [String: UInt64], at second: Int
    ) throws -> [String] {
        var sent: [String] = []
        _ = try delivery.work(spool, now: start + .seconds(second))
        while true {
            let (questions, messages) = (engine.takeQuestions(), try engine.take())
            guard !questions.isEmpty || !messages.isEmpty else { return sent }
            for each in questions {
                let isThere = positions[each.id] == each.position.number
                try answer(
                    &delivery, .checked(token: each.token, isThere ? .present : .missing),
                    at: second)
            }
            for each in messages {
                sent.append(each.id)
                let position = positions[each.id]
                let number = position ?? (positions.values.max() ?? 0) + 1
                positions[each.id] = number
                try answer(
                    &delivery, .stored(id: each.id, receipt(number, isDuplicate: position != nil)),
                    at: second)
            }
        }
    }

    private var keptCount: Int { get throws { try spool.kept(bit: bit).count } }

    @Test func `acknowledged messages are kept until they are certainly stored`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        try send(&delivery, as: 1, at: 0)
        try send(&delivery, as: 2, at: 100)
        #expect(try spool.count == 0 && keptCount == 2)
        #expect(delivery.isIdle)
        // Time without an answer confirms nothing.
        _ = try delivery.work(spool, now: start + .seconds(500))
        try delivery.acknowledge(spool)
        #expect(try keptCount == 2)
        try send(&delivery, as: 3, at: 150)
        #expect(try spool.kept(bit: bit).map(\.position.number) == [2, 3])
    }

    @Test func `after an interruption the last message is looked up`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        try send(&delivery, as: 7, at: 0)
        let last = try send(&delivery, as: 9, at: 1)
        try interrupt(&delivery, at: 400)
        #expect(!delivery.isIdle)
        let questions = engine.takeQuestions()
        #expect(questions.map(\.id) == [last] && questions.map(\.position) == [receipt(9).position])
        try answer(&delivery, .checked(token: questions[0].token, .present), at: 400)
        #expect(try engine.take().isEmpty && delivery.isIdle)
        // Again when the servers are stable, also for the last message since.
        try send(&delivery, as: 10, at: 401)
        _ = try delivery.work(spool, now: start + .seconds(410))
        for _ in 0..<2 {
            let again = engine.takeQuestions()
            #expect(again.count == 1 && [9, 10].contains(again[0].position.number))
            try answer(&delivery, .checked(token: again[0].token, .present), at: 410)
        }
        #expect(engine.takeQuestions().isEmpty && delivery.isIdle)
        // Found after the interruption, they are kept from then on.
        try send(&delivery, as: 11, at: 500)
        #expect(try keptCount == 4)
        try send(&delivery, as: 12, at: 560)
        #expect(try spool.kept(bit: bit).map(\.position.number) == [11, 12])
    }

    @Test func `messages that the engine has lost are sent again unchanged`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        let ids = try (1...5).map { try send(&delivery, as: UInt64($0), at: $0) }
        try interrupt(&delivery, at: 10)
        // The fourth and the fifth are lost, and others have their positions.
        var positions: [String: UInt64] = [ids[0]: 1, ids[1]: 2, ids[2]: 3]
        positions["another"] = 8
        let sent = try settle(&delivery, &positions, at: 11)
        #expect(sent == [ids[3], ids[4]] && delivery.isIdle)
        #expect(
            delivery.drainNotes().filter { $0.text.hasSuffix("they are sent again") }.count == 1)
        // They are kept again, because they may be lost again, but not counted again.
        #expect(try keptCount == 5 && delivery.counts.fixes == 5)
        _ = engine.takeQuestions()
        try interrupt(&delivery, at: 20)
        // At the previous interruption the third was the last stored message, now it is the fifth.
        #expect(engine.takeQuestions().map(\.id) == [ids[4]])
        #expect(try settle(&delivery, &positions, at: 20).isEmpty)
    }

    @Test(arguments: [true, false])
    func `without an answer from the engine the last message is sent again`(_ isThere: Bool) throws
    {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        let ids = try (1...3).map { try send(&delivery, as: UInt64($0), at: $0) }
        try interrupt(&delivery, at: 10)
        // Servers that have just started may just be slow.
        try answer(
            &delivery, .checked(token: engine.takeQuestions()[0].token, .unknown), at: 10)
        #expect(try engine.take().isEmpty && !delivery.isIdle)
        _ = try delivery.work(spool, now: start + .seconds(20))
        try answer(
            &delivery, .checked(token: engine.takeQuestions()[0].token, .unknown), at: 20)
        #expect(try engine.take().map(\.id) == [ids[2]])
        #expect(!delivery.isIdle)
        try answer(
            &delivery, .stored(id: ids[2], receipt(isThere ? 3 : 4, isDuplicate: isThere)), at: 10)
        let others = try engine.take().map(\.id)
        #expect(others == (isThere ? [] : [ids[1]]))
        #expect(delivery.isIdle == isThere)
        #expect(try keptCount == 3)
    }

    @Test func `messages stored after a loss do not confirm earlier ones`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        let ids = try (1...2).map { try send(&delivery, as: UInt64($0), at: $0) }
        try interrupt(&delivery, at: 10)
        // Another bridge's messages have the numbers of the lost ones.
        let newest = try send(&delivery, as: 3, at: 10)
        var positions: [String: UInt64] = [newest: 3]
        #expect(try settle(&delivery, &positions, at: 10) == ids)
    }

    @Test func `repeated sequence numbers show that the engine has lost messages`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        let ids = try (1...4).map { try send(&delivery, as: UInt64($0), at: $0) }
        _ = engine.takeQuestions()
        // Two messages at the same time: the second shows that the first was also lost.
        try send(&delivery, as: 3, at: 5)
        let sent = try engine.take().map(\.id)
        #expect(sent == [ids[2]] && !delivery.isIdle)
        #expect(engine.takeQuestions().map(\.position.number) == [2])
        try answer(&delivery, .stored(id: ids[2], receipt(4)), at: 5)
        #expect(try engine.take().map(\.id) == [ids[3]])
    }

    @Test func `an answer from before the last interruption does not count`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        try send(&delivery, as: 1, at: 0)
        try interrupt(&delivery, at: 1)
        let old = engine.takeQuestions()[0].token
        try interrupt(&delivery, at: 2)
        try answer(&delivery, .checked(token: old, .present), at: 2)
        #expect(!delivery.isIdle)
        try answer(
            &delivery, .checked(token: engine.takeQuestions()[0].token, .present), at: 2)
        #expect(delivery.isIdle)
    }

    @Test func `a failure counts as an interruption`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        try send(&delivery, as: 1, at: 0)
        var entries = [
            Spool.Entry(
                stream: stream.number, row: FixRow(sequence: 0, time: 1000, received: 1000))
        ]
        try spool.append(&entries)
        delivery.offer(entries, now: start)
        _ = try delivery.work(spool, now: start)
        let id = try engine.take()[0].id
        let failure = EngineFailure("no leader", isGeneral: true)
        try answer(&delivery, .failed(id: id, failure), at: 1)
        try answer(&delivery, .stored(id: id, receipt(2)), at: 60)
        #expect(engine.takeQuestions().count == 1)
    }

    @Test func `a restarted bridge looks up its kept messages`() throws {
        var first = try delivery()
        try answer(&first, .connected, at: 0)
        let ids = try (1...2).map { try send(&first, as: UInt64($0), at: 0) }
        var second = try delivery()
        #expect(!second.isIdle)
        try answer(&second, .connected, at: 0)
        #expect(engine.takeQuestions().map(\.id) == [ids[1]])
    }

    @Test func `kept messages are limited to a part of the spool, and can be disabled`() throws {
        var none = PublishSettings()
        none.keepTime = .zero
        var delivery = try delivery(none)
        try answer(&delivery, .connected, at: 0)
        try send(&delivery, as: 1, at: 0)
        #expect(try keptCount == 0)
        delivery = try self.delivery()
        try answer(&delivery, .connected, at: 0)
        spool.limits.size = 8 * 1000
        for number in 2...20 { try send(&delivery, as: UInt64(number), at: 1) }
        let kept = try spool.kept(bit: bit)
        #expect(kept.map(\.size).reduce(0, +) <= 1000 && kept.last?.position.number == 20)
        #expect(kept.count > 1)
    }

    @Test func `kept messages are dropped by a full spool and by a change of engine`() throws {
        var delivery = try delivery()
        try answer(&delivery, .connected, at: 0)
        try send(&delivery, as: 1, at: 0)
        spool.limits.size = 1000
        try spool.keepLimits(now: 1000)
        #expect(try keptCount == 0)
        try send(&delivery, as: 2, at: 0)
        _ = try spool.setTargets(["other"])
        #expect(try keptCount == 0)
    }
}
