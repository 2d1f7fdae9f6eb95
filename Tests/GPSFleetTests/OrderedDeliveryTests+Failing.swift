// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Testing

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
