// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Testing

/// The delivery to an engine that gets the fixes of each receiver in order, such as an HTTP server.
@Suite(.timeLimit(.generous))
struct OrderedDeliveryTests {
    let folder: TemporaryFolder
    let spool: Spool
    let bit: Int64
    let engine = NotingEngine(isOrdered: true)
    let now = MonotonicInstant.now

    init() throws {
        folder = try TemporaryFolder()
        spool = try Spool(path: folder.path("spool.sqlite"))
        bit = try spool.setTargets(["engine"])[0]
    }

    /// A server that receives up to `count` fixes per message, after it is ready.
    func delivery(
        _ settings: PublishSettings = PublishSettings(), count: Int = 1
    ) throws -> Delivery {
        var delivery = Delivery(
            name: "engine", bit: bit, engine: engine,
            format: BatchFormat(for: .nats, maximumCount: count), settings: settings,
            backlog: try spool.range())
        delivery.handle(.ready, now: now)
        return delivery
    }

    /// Sends until nothing is in flight, and returns the numbers of the fixes accepted. The others
    /// are refused.
    private func drain(
        _ delivery: inout Delivery, at time: MonotonicInstant,
        accepting: (_ receiver: String, _ sequence: Int64) -> Bool = { _, _ in true }
    ) throws -> [Int64] {
        var numbers: [Int64] = []
        while true {
            _ = try delivery.work(spool, now: time)
            let sent = try engine.take()
            guard !sent.isEmpty else { return numbers }
            #expect(Set(sent.map(\.batch.member)).count == sent.count, "two of one receiver")
            for message in sent {
                let sequences = message.batch.rows.map(\.sequence)
                if sequences.allSatisfy({ accepting(message.batch.member.receiver, $0) }) {
                    numbers += sequences
                    delivery.handle(.stored(id: message.id, nil), now: time)
                } else {
                    delivery.handle(
                        .refused(
                            id: message.id, EngineRefusal("HTTP status 400", isOfReceiver: false)),
                        now: time)
                }
            }
            try delivery.acknowledge(spool)
        }
    }

    func setAsideCount() throws -> Int64 {
        try SQLiteDatabase(path: spool.path).integer("SELECT count(*) FROM refused")
    }

    @Test func `the backlog of several runs and the live fixes are sent in order`() throws {
        _ = try spool.appendSamples(30, to: spool.sampleStream(boot: "1"))
        _ = try spool.appendSamples(30, to: spool.sampleStream(boot: "2"))
        var delivery = try delivery()
        let stream = try spool.sampleStream(boot: "3")
        delivery.offer(try spool.appendSamples(3, to: stream), now: now)
        #expect(try drain(&delivery, at: now) == Array(1...63))
        #expect(spool.count == 0 && delivery.isIdle)
    }

    @Test func `each receiver has one message in flight`() throws {
        let (a, b) = (try spool.sampleStream("a"), try spool.sampleStream("b"))
        _ = try spool.appendSamples(20, to: a, b)
        var delivery = try delivery()
        _ = try delivery.work(spool, now: now)
        for message in try engine.take() { delivery.handle(.stored(id: message.id, nil), now: now) }
        _ = try delivery.work(spool, now: now)
        #expect(try engine.take().map(\.batch.member.receiver).sorted() == ["a", "b"])
        _ = try delivery.work(spool, now: now)
        #expect(try engine.take().isEmpty)
    }

    @Test func `an order that the user wants is kept`() throws {
        let stream = try spool.sampleStream()
        _ = try spool.appendSamples(20, to: stream)
        var settings = PublishSettings()
        settings.backlog = .newest
        var delivery = try delivery(settings)
        delivery.offer(try spool.appendSamples(1, to: stream), now: now)
        _ = try delivery.work(spool, now: now)
        #expect(try engine.take().first?.batch.rows.first?.sequence == 21)
    }

    @Test func `the log reports the first stored message`() throws {
        var delivery = try delivery()
        delivery.offer(try spool.appendSamples(2, to: spool.sampleStream()), now: now)
        #expect(delivery.drainNotes().isEmpty)
        _ = try drain(&delivery, at: now)
        #expect(delivery.drainNotes().map(\.text) == ["engine: connected"])
    }

    @Test func `positions without a date are not sent to a tracker, which is reported once`() throws
    {
        var fix = Fix()
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        let stream = try spool.sampleStream()
        var entries = (0..<3).map { _ in
            Spool.Entry(stream: stream.number, row: FixRow(fix, received: 0))
        }
        try spool.append(&entries)
        var delivery = Delivery(
            name: "engine", bit: bit, engine: engine, format: OsmAndFormat(),
            settings: PublishSettings(), backlog: try spool.range())
        delivery.handle(.ready, now: now)
        _ = try delivery.work(spool, now: now)
        try delivery.acknowledge(spool)
        #expect(try engine.take().isEmpty && spool.count == 0)
        #expect(delivery.drainNotes().map(\.text.count).count == 1)
    }

    @Test func `a pause that the engine demands is kept`() throws {
        var delivery = try delivery()
        delivery.offer(try spool.appendSamples(1, to: spool.sampleStream()), now: now)
        _ = try delivery.work(spool, now: now)
        let sent = try engine.take()
        let failure = EngineFailure("busy", isGeneral: true, retryAfter: .seconds(100))
        delivery.handle(.failed(id: sent[0].id, failure), now: now)
        let end = try #require(try delivery.work(spool, now: now))
        #expect((.seconds(100) ... .seconds(125)).contains(end - now))
        _ = try delivery.work(spool, now: now + .seconds(99))
        #expect(try engine.take().isEmpty)
        #expect(try drain(&delivery, at: end) == [1])
    }

    @Test func `a message is set aside after others were accepted`() throws {
        _ = try spool.appendSamples(10, to: spool.sampleStream())
        var delivery = try delivery()
        let accepted = try drain(&delivery, at: now) { $1 != 4 }
        #expect(accepted == [1, 2, 3, 5, 6, 7, 8, 9, 10])
        #expect(spool.count == 0 && delivery.isIdle)
        #expect(try setAsideCount() == 1)
        #expect(spool.loss.refused == 1 && delivery.counts.refused == 1)
        #expect(spool.loss.text(path: "s").contains("1 fix was refused"))
    }

    @Test func `a message that is accepted the second time is not lost`() throws {
        _ = try spool.appendSamples(3, to: spool.sampleStream())
        var delivery = try delivery()
        var refusals = 0
        let accepted = try drain(&delivery, at: now) { _, sequence in
            if sequence == 1 { refusals += 1 }
            return sequence != 1 || refusals > 1
        }
        #expect(accepted == [2, 1, 3])
        #expect(try setAsideCount() == 0)
    }

    @Test func `an unknown receiver waits, in order, and does not delay others`() throws {
        let (a, b) = (try spool.sampleStream("a"), try spool.sampleStream("b"))
        _ = try spool.appendSamples(50, to: a, b)
        var delivery = try delivery()
        #expect(try drain(&delivery, at: now) { receiver, _ in receiver == "b" }.count == 50)
        #expect(spool.count == 50)
        let live = try spool.appendSamples(5, to: a, b)
        delivery.offer(live, now: now)
        #expect(try drain(&delivery, at: now) { receiver, _ in receiver == "b" }.count == 5)
        let numbers = try drain(&delivery, at: now + .seconds(3600))
        #expect(numbers == numbers.sorted() && numbers.count == 55)
        #expect(spool.count == 0 && delivery.isIdle)
        #expect(try setAsideCount() == 0)
    }

    @Test func `fixes are sent after a pause although a message was accepted during it`() throws {
        let stream = try spool.sampleStream()
        _ = try spool.appendSamples(10, to: stream)
        var settings = PublishSettings()
        settings.backlog = .oldest
        var delivery = try delivery(settings)
        delivery.offer(try spool.appendSamples(1, to: stream), now: now)
        _ = try delivery.work(spool, now: now)
        var sent = try engine.take()
        let live = try #require(sent.first { $0.batch.rows.first?.sequence == 11 })
        // Enough refusals for a pause, while the live message is in flight.
        let refusal = EngineRefusal("HTTP status 400", isOfReceiver: false)
        for _ in 0..<4 {
            for message in sent where message.id != live.id {
                delivery.handle(.refused(id: message.id, refusal), now: now)
            }
            _ = try delivery.work(spool, now: now)
            sent = try engine.take()
        }
        #expect(sent.isEmpty)
        delivery.handle(.stored(id: live.id, nil), now: now)
        let time = now + .seconds(3600)
        repeat {
            try delivery.acknowledge(spool)
            _ = try delivery.work(spool, now: time)
            sent = try engine.take()
            for message in sent { delivery.handle(.stored(id: message.id, nil), now: time) }
        } while !sent.isEmpty
        #expect(spool.count == 0 && delivery.isIdle)
    }

    @Test func `pauses become longer, and a receiver that waits keeps its fixes`() throws {
        _ = try spool.appendSamples(200, to: spool.sampleStream())
        var delivery = try delivery()
        var time = now
        var pauses: [Duration] = []
        for _ in 0..<10 {
            #expect(try drain(&delivery, at: time) { _, _ in false }.isEmpty)
            let end = try #require(try delivery.work(spool, now: time))
            pauses.append(end - time)
            time = end
        }
        #expect(pauses[0] < .seconds(13) && pauses[9] > .seconds(220) && pauses[9] < .seconds(380))
        #expect(spool.count == 200)
        #expect(try setAsideCount() == 0)
    }

    @Test func `any number of unacceptable messages does not stop later ones`() throws {
        _ = try spool.appendSamples(40, to: spool.sampleStream())
        var delivery = try delivery()
        var accepted: [Int64] = []
        var time = now
        for _ in 0..<10 where spool.count > 0 {
            accepted += try drain(&delivery, at: time) { !(5...24).contains($1) }
            time = time + .seconds(3600)
        }
        #expect(accepted == Array(1...4) + Array(25...40))
        #expect(spool.count == 0 && delivery.isIdle)
        #expect(try setAsideCount() == 20)
    }

    @Test func `the end of a recording does not wait for a message that was refused twice`() throws
    {
        _ = try spool.appendSamples(1, to: spool.sampleStream())
        var delivery = try delivery()
        #expect(try drain(&delivery, at: now) { _, _ in false }.isEmpty)
        #expect(!delivery.isIdle)
        #expect(try drain(&delivery, at: now + .seconds(60)) { _, _ in false }.isEmpty)
        #expect(delivery.isIdle && spool.count == 1)
    }

    @Test func `a refused message of several fixes is sent again one by one`() throws {
        _ = try spool.appendSamples(300, to: spool.sampleStream())
        var delivery = try delivery(count: 60)
        let accepted = try drain(&delivery, at: now) { ![70, 71, 200].contains($1) }
        #expect(accepted == (1...300).filter { ![70, 71, 200].contains($0) })
        #expect(spool.count == 0 && delivery.isIdle)
        #expect(try setAsideCount() == 3)
    }

    @Test func `fixes wait on the disk while the engine stores none`() throws {
        var delivery = try delivery()
        let stream = try spool.sampleStream()
        delivery.offer(try spool.appendSamples(1, to: stream), now: now)
        _ = try delivery.work(spool, now: now)
        let sent = try engine.take()
        delivery.offer(try spool.appendSamples(5, to: stream), now: now)
        delivery.handle(
            .failed(id: sent[0].id, EngineFailure("unreachable", isGeneral: true)), now: now)
        delivery.offer(try spool.appendSamples(5, to: stream), now: now)
        #expect(try drain(&delivery, at: now + .seconds(60)) == Array(1...11))
        #expect(spool.count == 0 && delivery.isIdle)
    }

    /// A refused message of more than 1000 bytes with one fix.
    private func refusedMessage() throws -> RefusedMessage {
        var batch = FixBatch(
            member: try spool.sampleStream().member, boot: "boot", origin: .live,
            rows: [FixRow(sequence: 1, time: nil, received: 0)])
        batch.software = String(repeating: "-", count: 1000)
        let message = try #require(BatchFormat(for: .http).message(batch))
        return RefusedMessage(message: message, reason: "HTTP status 400", sequences: [1])
    }

    @Test func `only the newest refused messages are stored`() throws {
        spool.limits.size = 1 << 20
        let refused = try refusedMessage()
        for _ in 0..<10 {
            try spool.setAside(Array(repeating: refused, count: 20), by: "engine")
        }
        #expect(try (20...30).contains(setAsideCount()))
        #expect(spool.loss.refused == 200)
    }

    @Test func `refused messages that a full disk cannot store are not reported as stored`() throws
    {
        let refused = try refusedMessage()
        try spool.setAside([refused], by: "engine")
        // SQLite raises the limit to the current size, so the file cannot grow.
        try spool.database.run("PRAGMA max_page_count=1")
        try spool.setAside(Array(repeating: refused, count: 100), by: "engine")
        #expect(try setAsideCount() == 1)
        #expect(spool.loss.refused == 1 && spool.loss.refusedLost == 100)
        let text = spool.loss.text(path: "s")
        #expect(text.contains("1 fix was refused, and is in the table refused of s"))
        #expect(text.contains("100 fixes were refused, and are not stored because the disk"))
    }
}

/// Messages that an HTTP server answers with an error of its own.
extension OrderedDeliveryTests {
    /// Sends for some time, and returns the numbers of the stored fixes.
    private func run(
        _ delivery: inout Delivery, from start: MonotonicInstant, for duration: Duration,
        failing: (_ sequence: Int64) -> Bool
    ) throws -> [Int64] {
        var numbers: [Int64] = []
        var time = start
        while true {
            let next = try delivery.work(spool, now: time)
            let sent = try engine.take()
            if sent.isEmpty {
                guard let next, next > time, next <= start + duration else { return numbers }
                time = next
            }
            for message in sent {
                let sequences = message.batch.rows.map(\.sequence)
                if sequences.contains(where: failing) {
                    let failure = EngineFailure(
                        "HTTP status 500", isGeneral: true, mayBeOfMessage: true)
                    delivery.handle(.failed(id: message.id, failure), now: time)
                } else {
                    numbers += sequences
                    delivery.handle(.stored(id: message.id, nil), now: time)
                }
            }
            try delivery.acknowledge(spool)
        }
    }

    @Test func `a message with which the server always fails is set aside, and others are sent`()
        throws
    {
        let stream = try spool.sampleStream("a")
        var delivery = try delivery()
        var stored: [Int64] = []
        for step in 0..<60 {
            let time = now + .seconds(20 * step)
            delivery.offer(try spool.appendSamples(1, to: stream), now: time)
            stored += try run(&delivery, from: time, for: .seconds(19)) { $0 == 1 }
            if step == 20 { #expect(stored == Array(2...21), "the others do not wait") }
            if step < 30 { #expect(try setAsideCount() == 0, "before ten minutes") }
        }
        #expect(stored == Array(2...60))
        #expect(try setAsideCount() == 1)
        #expect(spool.count == 0 && delivery.isIdle && delivery.counts.refused == 1)
        let notes = delivery.drainNotes().map(\.text)
        #expect(notes.filter { $0.contains("a message is refused: HTTP status 500") }.count == 1)
        #expect(notes.count < 6, "\(notes)")
    }

    @Test func `a message with which the server always fails does not block other receivers`()
        throws
    {
        var delivery = try delivery()
        delivery.offer(
            try spool.appendSamples(3, to: spool.sampleStream("a"), spool.sampleStream("b")),
            now: now)
        let stored = try run(&delivery, from: now, for: .seconds(60)) { $0 == 1 }
        #expect(stored.sorted() == [2, 3, 4, 5, 6])
        #expect(spool.count == 1)
        #expect(try setAsideCount() == 0)
    }

    @Test func `an outage divides messages, and sends each fix once afterwards`() throws {
        let streams = try [spool.sampleStream("a"), spool.sampleStream("b")]
        _ = try spool.appendSamples(100, to: streams[0], streams[1])
        var delivery = try delivery(count: 60)
        let early = try run(&delivery, from: now, for: .seconds(7200)) { _ in true }
        #expect(early.isEmpty && spool.count == 200)
        // Fixes that arrive during the outage.
        let end = now + .seconds(7200)
        delivery.offer(try spool.appendSamples(10, to: streams[0]), now: end)
        let stored = try run(&delivery, from: end, for: .seconds(3600)) { _ in false }
        #expect(stored.sorted() == Array(1...210))
        #expect(spool.count == 0 && delivery.isIdle)
        #expect(try setAsideCount() == 0)
    }

    @Test func `an outage loses no fix, also if the server works for a moment`() throws {
        _ = try spool.appendSamples(20, to: spool.sampleStream("a"))
        var delivery = try delivery()
        var stored: [Int64] = []
        var time = now
        for _ in 0..<3 {
            stored += try run(&delivery, from: time, for: .seconds(3600)) { _ in true }
            #expect(try setAsideCount() == 0)
            // It stores one message, and then fails again.
            time = time + .seconds(4200)
            var isWorking = true
            stored += try run(&delivery, from: time, for: .seconds(60)) { sequence in
                guard isWorking, sequence > 1 else { return true }
                isWorking = false
                return false
            }
            time = time + .seconds(60)
        }
        #expect(stored.count == 3)
        let end = time + .seconds(3600)
        stored += try run(&delivery, from: end, for: .seconds(3600)) { _ in false }
        #expect(stored.sorted() == Array(1...20))
        #expect(spool.count == 0)
        #expect(try setAsideCount() == 0)
    }
}
