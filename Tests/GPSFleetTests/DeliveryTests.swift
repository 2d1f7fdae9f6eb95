// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Synchronization
import Testing

/// An engine that records its messages.
final class NotingEngine: Engine {
    let window: Int
    let isOrdered: Bool
    private let messages = Mutex<[EngineMessage]>([])
    private let questions = Mutex<[(id: String, position: StreamPosition, token: Int)]>([])

    init(window: Int = 8, isOrdered: Bool = false) {
        self.window = window
        self.isOrdered = isOrdered
    }

    func start(onEvent: @escaping @Sendable (EngineEvent) -> Void) {}
    func send(_ message: EngineMessage) { messages.withLock { $0.append(message) } }
    func check(_ id: String, at position: StreamPosition, token: Int) {
        questions.withLock { $0.append((id, position, token)) }
    }
    func close() {}

    /// Returns the queries since the last call.
    func takeQuestions() -> [(id: String, position: StreamPosition, token: Int)] {
        questions.withLock { questions in
            defer { questions = [] }
            return questions
        }
    }

    /// Returns the messages since the last call.
    func takeMessages() -> [EngineMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    /// Returns the messages since the last call, as batches.
    func take() throws -> [(id: String, batch: FixBatch)] {
        try takeMessages().map { ($0.id, try FixBatch(decoding: $0.bytes)) }
    }
}

/// The delivery from the spool to an engine.
@Suite(.timeLimit(.generous))
struct DeliveryTests {
    let folder: TemporaryFolder
    let spool: Spool
    let bit: Int64
    let engine = NotingEngine()
    let now = MonotonicInstant.now

    init() throws {
        folder = try TemporaryFolder()
        spool = try Spool(path: folder.path("spool.sqlite"))
        bit = try spool.setTargets(["engine"])[0]
    }

    func delivery(
        _ settings: PublishSettings = PublishSettings(),
        _ format: any MessageFormat = BatchFormat(for: .nats)
    ) throws -> Delivery {
        Delivery(
            name: "engine", bit: bit, engine: engine, format: format, settings: settings,
            backlog: try spool.range())
    }

    /// A delivery to an engine that is connected.
    private func connected(_ settings: PublishSettings = PublishSettings()) throws -> Delivery {
        var delivery = try delivery(settings)
        delivery.handle(.connected, now: now)
        return delivery
    }

    /// Settings with a message per minute, the first one after this fraction of a minute.
    private func perMinute(firstFraction: Double = 1) -> PublishSettings {
        var settings = PublishSettings()
        settings.batchTime = .seconds(60)
        settings.firstFraction = { firstFraction }
        return settings
    }

    /// Adds one fix of each receiver in one transaction, because each transaction waits for the
    /// disk.
    private func append(oneOfEach streams: [Spool.Stream]) throws -> [Spool.Entry] {
        var entries = streams.map {
            Spool.Entry(
                stream: $0.number, row: FixRow(sequence: 0, time: 1000, received: 1000))
        }
        try spool.append(&entries)
        return entries
    }

    /// Reports messages as stored, and does the resulting work.
    private func store(
        _ messages: [(id: String, batch: FixBatch)], _ delivery: inout Delivery,
        after delay: Duration = .zero
    ) throws {
        for message in messages { delivery.handle(.stored(id: message.id, nil), now: now + delay) }
        try delivery.acknowledge(spool)
        _ = try delivery.work(spool, now: now + delay)
    }

    @Test func `a fix is sent immediately and leaves the spool when it is stored`() throws {
        var delivery = try connected()
        delivery.offer(try spool.appendSamples(1, to: spool.sampleStream()), now: now)
        _ = try delivery.work(spool, now: now)
        let sent = try engine.take()
        #expect(sent.map(\.id) == ["f/b/r/boot/1-1/1"])
        #expect(spool.count == 1)
        try store(sent, &delivery)
        #expect(spool.count == 0)
        #expect(delivery.isIdle)
    }

    @Test func `fixes that arrive while a message is sent are the next message`() throws {
        var delivery = try connected()
        let stream = try spool.sampleStream()
        delivery.offer(try spool.appendSamples(1, to: stream), now: now)
        _ = try delivery.work(spool, now: now)
        let first = try engine.take()
        for _ in 0..<5 {
            delivery.offer(try spool.appendSamples(1, to: stream), now: now)
            _ = try delivery.work(spool, now: now)
        }
        #expect(try engine.take().isEmpty)
        try store(first, &delivery)
        #expect(try engine.take().map(\.batch.rows.count) == [5])
    }

    @Test func `with a batch time fixes wait for each other`() throws {
        var delivery = try connected(perMinute())
        let stream = try spool.sampleStream()
        delivery.offer(try spool.appendSamples(59, to: stream), now: now)
        #expect(try delivery.work(spool, now: now) == now + .seconds(60))
        #expect(try engine.take().isEmpty)
        // A message is sent when the number of fixes is reached or the time has passed.
        delivery.offer(try spool.appendSamples(1, to: stream), now: now)
        _ = try delivery.work(spool, now: now)
        try store(try engine.take(), &delivery)
        #expect(spool.count == 0)
        delivery.offer(try spool.appendSamples(2, to: stream), now: now)
        _ = try delivery.work(spool, now: now + .seconds(60))
        #expect(try engine.take().map(\.batch.rows.count) == [2])
    }

    @Test func `with one fix per message, a batch time ends for all collected fixes`() throws {
        var delivery = try delivery(perMinute(), BatchFormat(for: .nats, maximumCount: 1))
        delivery.handle(.connected, now: now)
        delivery.offer(try spool.appendSamples(5, to: spool.sampleStream()), now: now)
        #expect(try delivery.work(spool, now: now) == now + .seconds(60))
        _ = try delivery.work(spool, now: now + .seconds(60))
        var numbers: [Int64] = []
        while case let sent = try engine.take(), !sent.isEmpty {
            numbers += sent.flatMap { $0.batch.rows.map(\.sequence) }
            try store(sent, &delivery, after: .seconds(60))
        }
        #expect(numbers == Array(1...5))
    }

    @Test func `a receiver with many fixes does not wait for one with few`() throws {
        var delivery = try connected(perMinute())
        let (slow, quick) = (try spool.sampleStream("slow"), try spool.sampleStream("quick"))
        delivery.offer(try spool.appendSamples(1, to: slow), now: now)
        for round in 1...3 {
            let time = now + .seconds(round * 10)
            delivery.offer(try spool.appendSamples(60, to: quick), now: time)
            #expect(try delivery.work(spool, now: time) == now + .seconds(60))
            let sent = try engine.take()
            #expect(sent.map(\.batch.rows.count) == [60])
            try store(sent, &delivery, after: .seconds(round * 10))
        }
        _ = try delivery.work(spool, now: now + .seconds(60))
        #expect(try engine.take().map(\.batch.member) == [slow.member])
    }

    @Test func `bridges that start together send at different times`() throws {
        var delivery = try connected(perMinute(firstFraction: 0.25))
        let stream = try spool.sampleStream()
        delivery.offer(try spool.appendSamples(15, to: stream), now: now)
        #expect(try delivery.work(spool, now: now) == now + .seconds(15))
        _ = try delivery.work(spool, now: now + .seconds(15))
        try store(try engine.take(), &delivery, after: .seconds(15))
        // Later ones wait for the whole time.
        delivery.offer(try spool.appendSamples(1, to: stream), now: now + .seconds(15))
        #expect(try delivery.work(spool, now: now + .seconds(15)) == now + .seconds(75))
    }

    @Test func `batches of many receivers are collected in memory`() throws {
        var settings = perMinute()
        settings.liveLimit = 100
        var delivery = try connected(settings)
        let streams = try (0..<20).map { try spool.sampleStream("r\($0)") }
        for _ in 0..<50 {
            delivery.offer(try append(oneOfEach: streams), now: now)
            _ = try delivery.work(spool, now: now)
        }
        #expect(try engine.take().isEmpty)
        var counts: [Int] = []
        _ = try delivery.work(spool, now: now + .seconds(60))
        while case let sent = try engine.take(), !sent.isEmpty {
            counts += sent.map(\.batch.rows.count)
            try store(sent, &delivery, after: .seconds(60))
        }
        #expect(counts == Array(repeating: 50, count: 20))
    }

    @Test func `the backlog of many receivers is sent in messages of many fixes`() throws {
        let streams = try (0..<50).map { try spool.sampleStream("r\($0)") }
        for _ in 0..<60 { _ = try append(oneOfEach: streams) }
        var delivery = try connected()
        var counts: [Int] = []
        _ = try delivery.work(spool, now: now)
        while case let sent = try engine.take(), !sent.isEmpty {
            counts += sent.map(\.batch.rows.count)
            // At most the window at once, for any number of read messages.
            #expect(sent.count <= 2)
            try store(sent, &delivery)
        }
        #expect(counts.reduce(0, +) == 3000 && counts.count <= 100)
        #expect(spool.count == 0 && delivery.isIdle)
    }

    @Test func `an unanswered message is sent again with the same ID`() throws {
        var delivery = try connected()
        delivery.offer(try spool.appendSamples(3, to: spool.sampleStream()), now: now)
        _ = try delivery.work(spool, now: now)
        let first = try engine.take()
        let failure = EngineFailure("no answer", isGeneral: false)
        delivery.handle(.failed(id: first[0].id, failure), now: now)
        _ = try delivery.work(spool, now: now)
        let again = try engine.take()
        #expect(again.map(\.id) == first.map(\.id))
        #expect(again.map(\.batch.rows) == first.map(\.batch.rows))
        try store(again, &delivery)
        #expect(spool.count == 0 && delivery.counts.retries == 1)
    }

    @Test func `without a leader one message at a time is retried, less and less often`() throws {
        var delivery = try connected()
        for receiver in 0..<8 {
            delivery.offer(
                try spool.appendSamples(1, to: spool.sampleStream("r\(receiver)")), now: now)
        }
        _ = try delivery.work(spool, now: now)
        let failure = EngineFailure("no leader", isGeneral: true)
        for message in try engine.take() {
            delivery.handle(.failed(id: message.id, failure), now: now)
        }
        var time = now
        var pauses: [Duration] = []
        for _ in 0..<10 {
            let end = try #require(try delivery.work(spool, now: time))
            pauses.append(end - time)
            #expect(try engine.take().isEmpty)
            time = end
            _ = try delivery.work(spool, now: time)
            let tries = try engine.take()
            #expect(tries.count == 1)
            delivery.handle(.failed(id: tries[0].id, failure), now: time)
        }
        #expect(pauses[0] < .milliseconds(200) && pauses[9] > .seconds(7))
        // Once it is stored, the others are sent.
        _ = try delivery.work(spool, now: time + .seconds(20))
        var stored: Set<String> = []
        while true {
            let sent = try engine.take()
            guard !sent.isEmpty else { break }
            stored.formUnion(sent.map(\.id))
            try store(sent, &delivery, after: .seconds(60))
        }
        #expect(stored.count == 8 && spool.count == 0)
    }

    @Test(arguments: PublishSettings.BacklogOrder.allCases)
    func `live fixes are sent first, and the backlog in its order`(
        _ order: PublishSettings.BacklogOrder
    ) throws {
        let stream = try spool.sampleStream()
        _ = try spool.appendSamples(5000, to: stream)
        var settings = PublishSettings()
        settings.backlog = order
        var delivery = try connected(settings)
        _ = try delivery.work(spool, now: now)
        var backlog = try engine.take()
        var numbers: [Int64] = []
        while !backlog.isEmpty {
            for message in backlog { numbers += message.batch.rows.map(\.sequence) }
            let live = try spool.appendSamples(1, to: stream)
            delivery.offer(live, now: now)
            _ = try delivery.work(spool, now: now)
            let sent = try engine.take()
            // A live fix does not wait for an answer to the backlog.
            #expect(sent.map { $0.batch.rows.map(\.sequence) } == [live.map(\.row.sequence)])
            try store(sent, &delivery)
            try store(backlog, &delivery)
            backlog = try engine.take()
        }
        #expect(numbers.sorted() == Array(1...5000))
        #expect(order == .oldest ? numbers == numbers.sorted() : numbers[0] > 4800)
        #expect(spool.count == 0)
    }

    @Test func `fixes offered while offline are sent after connecting`() throws {
        var delivery = try delivery()
        let stream = try spool.sampleStream()
        for _ in 0..<10 { delivery.offer(try spool.appendSamples(10, to: stream), now: now) }
        _ = try delivery.work(spool, now: now)
        #expect(try engine.take().isEmpty)
        delivery.handle(.connected, now: now)
        var numbers: [Int64] = []
        _ = try delivery.work(spool, now: now)
        while true {
            let sent = try engine.take()
            guard !sent.isEmpty else { break }
            numbers += sent.flatMap { $0.batch.rows.map(\.sequence) }
            try store(sent, &delivery)
        }
        #expect(numbers.sorted() == Array(1...100))
    }

    @Test func `the last fix is sent again after a long time without one`() throws {
        var delivery = try connected()
        delivery.offer(try spool.appendSamples(2, to: spool.sampleStream()), now: now)
        _ = try delivery.work(spool, now: now)
        try store(try engine.take(), &delivery)
        delivery.sendHeartbeats(spool, now: now + .seconds(59))
        #expect(try engine.take().isEmpty)
        delivery.sendHeartbeats(spool, now: now + .seconds(61))
        let sent = try engine.take()
        #expect(sent.map(\.id) == ["f/b/r/boot/2-2/1/alive-1"])
        #expect(sent.first?.batch.rows.map(\.sequence) == [2])
    }

    @Test func `a slow link gets the backlog in smaller parts`() throws {
        let stream = try spool.sampleStream()
        _ = try spool.appendSamples(4000, to: stream)
        var delivery = try connected()
        _ = try delivery.work(spool, now: now)
        for round in 1...4 { try store(try engine.take(), &delivery, after: .seconds(3 * round)) }
        #expect(try engine.take().map(\.batch.rows.count).max() == 20)
    }

    @Test func `an error with which a server answers every message is logged once per connection`()
        throws
    {
        var delivery = try connected()
        for _ in 0..<3 { delivery.handle(.note("no permission"), now: now) }
        delivery.handle(.note("another"), now: now)
        let notes = delivery.drainNotes().map(\.text)
        #expect(notes == ["engine: connected", "engine: no permission", "engine: another"])
        delivery.handle(.disconnected("gone"), now: now)
        delivery.handle(.connected, now: now)
        delivery.handle(.note("no permission"), now: now)
        #expect(delivery.drainNotes().last?.text == "engine: no permission")
    }

    @Test func `after a link has become slow, unanswered messages are sent again one by one`()
        throws
    {
        let engine = NotingEngine(window: 32)
        _ = try spool.appendSamples(10_000, to: spool.sampleStream())
        var delivery = Delivery(
            name: "engine", bit: bit, engine: engine, format: BatchFormat(for: .nats),
            settings: PublishSettings(), backlog: try spool.range())
        delivery.handle(.connected, now: now)
        _ = try delivery.work(spool, now: now)
        var sent = try engine.take()
        while sent.count < 4 {
            try store(sent, &delivery)
            sent = try engine.take()
        }
        for message in sent {
            let failure = EngineFailure("no answer in time", isGeneral: false)
            delivery.handle(.failed(id: message.id, failure), now: now)
        }
        _ = try delivery.work(spool, now: now)
        for message in sent {
            let again = try engine.take()
            #expect(again.map(\.id) == [message.id])
            try store(again, &delivery, after: .seconds(5))
        }
        for _ in 0..<1000 where spool.count > 0 { try store(try engine.take(), &delivery) }
        #expect(spool.count == 0)
    }
}

/// The messages about receivers without new fixes, and which of them a broker retains.
extension DeliveryTests {
    /// Appends a fix of one receiver, whose data has this origin. `change` may change the fix.
    private func offer(
        _ delivery: inout Delivery, _ origin: DataOrigin = .live,
        _ change: (inout Fix) -> Void = { _ in }
    ) throws {
        let batch = try FixBatch.sample(origin, change)
        let stream =
            try spool.streams.values.first { $0.origin == origin }
            ?? spool.addStreams([(batch.member, origin)], boot: batch.boot)[0]
        var entries = batch.rows.map { Spool.Entry(stream: stream.number, row: $0) }
        try spool.append(&entries)
        delivery.offer(entries, now: now)
    }

    /// Delivers everything to an engine that stores each message. Returns the messages.
    private func work(_ delivery: inout Delivery) throws -> [EngineMessage] {
        var all: [EngineMessage] = []
        while true {
            _ = try delivery.work(spool, now: now)
            let sent = engine.takeMessages()
            guard !sent.isEmpty else { return all }
            all += sent
            for message in sent { delivery.handle(.stored(id: message.id, nil), now: now) }
            try delivery.acknowledge(spool)
        }
    }

    @Test func `Home Assistant gets a fix from before the connection, with the announcement`()
        throws
    {
        var delivery = try delivery(PublishSettings(), HomeAssistantFormat())
        try offer(&delivery)
        delivery.handle(.connected, now: now)
        _ = try work(&delivery)
        delivery.sendHeartbeats(spool, now: now)
        let topics = engine.takeMessages().map(\.destination)
        #expect(topics.first == "homeassistant/device_tracker/gps_buses_b-7_roof/config")
        #expect(
            topics.suffix(2) == ["gps/buses/b-7/roof/status", "gps/buses/b-7/roof/attributes"])
        // The next one follows after a minute.
        delivery.sendHeartbeats(spool, now: now + .seconds(1))
        #expect(engine.takeMessages().isEmpty)
    }

    @Test func `only the newest fix of a receiver is repeated, if its origin was unknown at first`()
        throws
    {
        var delivery = try delivery(PublishSettings(), HomeAssistantFormat())
        delivery.handle(.connected, now: now)
        try offer(&delivery, .unknown) { $0.coordinate = nil }
        _ = try work(&delivery)
        try offer(&delivery)
        _ = try work(&delivery)
        delivery.sendHeartbeats(spool, now: now + .seconds(61))
        #expect(
            engine.takeMessages().map { String(decoding: $0.bytes, as: UTF8.self) }.first
                == "online"
        )
        try offer(&delivery)
        #expect(try work(&delivery).map(\.destination).last == "gps/buses/b-7/roof/attributes")
    }

    @Test func `a broker retains live locations and repeated ones, but not those of the backlog`()
        throws
    {
        var delivery = try delivery(PublishSettings(), OwnTracksFormat())
        try offer(&delivery)
        delivery.handle(.connected, now: now)
        let backlog = try work(&delivery)
        #expect(backlog.map(\.isRetained) == [false])
        delivery.sendHeartbeats(spool, now: now + .seconds(61))
        #expect(engine.takeMessages().map(\.isRetained) == [true])
        try offer(&delivery)
        let live = try work(&delivery)
        #expect(live.map(\.isRetained) == [true])
    }
}

/// Receivers whose messages the server does not store, although it stores those of others.
extension DeliveryTests {
    /// Does the work that is due, and answers the messages: with a failure those of the receiver
    /// that the server does not accept, if there is one.
    private func answer(
        _ delivery: inout Delivery, failing: Spool.Stream?, _ failure: EngineFailure,
        at time: MonotonicInstant
    ) throws {
        _ = try delivery.work(spool, now: time)
        for message in try engine.take() {
            if message.batch.member == failing?.member {
                delivery.handle(.failed(id: message.id, failure), now: time)
            } else {
                delivery.handle(.stored(id: message.id, nil), now: time)
            }
        }
        try delivery.acknowledge(spool)
    }

    /// `isGeneral` is `true` if no stream contains the subject, and `false` if the user may not
    /// publish on it.
    @Test(arguments: [true, false])
    func `a receiver whose messages are never stored does not hold up the others`(
        isGeneral: Bool
    ) throws {
        let (old, new) = (try spool.sampleStream("old"), try spool.sampleStream("new"))
        _ = try spool.appendSamples(3, to: old, new)
        var delivery = try delivery()
        delivery.handle(.connected, now: now)
        let failure = EngineFailure("not stored", isGeneral: isGeneral)
        // The pause of the receiver begins after a few seconds, and takes at least 7.5 s.
        for second in 0..<12 {
            let time = now + .seconds(second)
            delivery.offer(try spool.appendSamples(1, to: new), now: time)
            try answer(&delivery, failing: old, failure, at: time)
        }
        #expect(spool.count == 3)
        let text = "no message of f/b/old is accepted"
        #expect(delivery.drainNotes().filter { $0.text.contains(text) }.count == 1)
        // After the pause, the server accepts its messages.
        for second in 60..<70 {
            try answer(&delivery, failing: nil, failure, at: now + .seconds(second))
        }
        #expect(spool.count == 0 && delivery.isIdle)
        let again = "messages of f/b/old are accepted again"
        #expect(delivery.drainNotes().contains { $0.text.contains(again) })
    }
}

@Suite(.timeLimit(.generous))
struct AnnouncementsTests {
    private func batch(
        _ receiver: String, _ quantities: Instruments.Quantity...
    ) throws -> FixBatch {
        var fix = Fix()
        for quantity in quantities { fix.instruments[quantity] = 1 }
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: receiver))
        return FixBatch(
            member: member, boot: "boot", origin: .live, rows: [FixRow(fix, received: 5)])
    }

    @Test func `a receiver is announced once, and again when it has another instrument`() throws {
        var announcements = Announcements()
        let batches = [
            try batch("a"), try batch("a"), try batch("b"), try batch("a", .depth),
            try batch("a"), try batch("a", .depth), try batch("a", .rudder),
            try batch("a", .depth, .rudder), try batch("b"),
        ]
        #expect(
            batches.map { announcements.isDue($0) }
                == [true, false, true, true, false, false, true, false, false])
    }

    @Test func `a receiver is announced again when its data turns out to be simulated`() throws {
        var announcements = Announcements()
        let live = try batch("a")
        var simulated = live
        simulated.origin = .simulated
        #expect(
            [live, simulated, simulated].map { announcements.isDue($0) } == [true, true, false])
    }
}

@Suite(.timeLimit(.generous))
struct ConnectionLogTests {
    private let start = MonotonicInstant.now

    @Test func `bridges that disconnect each other are reported once, not every few seconds`() {
        var log = ConnectionLog()
        var lines: [String] = []
        for round in 0..<20 {
            let time = start + .seconds(3 * round)
            lines += [log.connected(now: time)].compactMap(\.self)
            lines += [log.lasting(now: time + .seconds(1))].compactMap(\.self)
            lines += [log.disconnected("gone", now: time + .seconds(2))].compactMap(\.self)
        }
        #expect(lines.count == 8)
        #expect(lines.last?.contains("--bridge NAME") == true)
    }

    @Test func `a connection that lasts is reported again after many short ones`() {
        var log = ConnectionLog()
        for _ in 0..<4 {
            _ = log.connected(now: start)
            _ = log.disconnected("gone", now: start)
        }
        let again = log.connected(now: start)
        let early = log.lasting(now: start + .seconds(29))
        let late = log.lasting(now: start + .seconds(30))
        let second = log.lasting(now: start + .seconds(31))
        #expect([again, early, late, second] == [nil, nil, "connected", nil])
        let lost = log.disconnected("gone", now: start + .seconds(40))
        let refused = log.disconnected("refused", now: start + .seconds(50))
        #expect([lost, refused] == ["not connected: gone", "not connected: refused"])
    }
}
