// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestSupport
import Testing

/// The fixes of a member that are newer, for live displays.
@Suite(.timeLimit(.generous))
struct LiveOrderTests {
    private var order = LiveOrder()

    private func batch(
        _ boot: String, _ numbers: ClosedRange<Int64>, at second: Int64
    ) throws -> FixBatch {
        FixBatch(
            member: try #require(MemberName(fleet: "f", bridge: "b", receiver: "r")), boot: boot,
            origin: .live,
            rows: numbers.map { FixRow(sequence: $0, time: nil, received: (second + $0) * 1000) })
    }

    @Test mutating func `fixes after a clock was set back count as newer`() throws {
        #expect(order.newer(try batch("a", 1...3, at: 5000)).map(\.sequence) == [1, 2, 3])
        #expect(order.newer(try batch("a", 4...5, at: 1000)).map(\.sequence) == [4, 5])
        // Also in a new run whose numbers continue.
        #expect(order.newer(try batch("b", 6...6, at: 0)).map(\.sequence) == [6])
    }

    @Test mutating func `repeated and late fixes do not count as newer`() throws {
        _ = order.newer(try batch("a", 10...12, at: 0))
        #expect(order.newer(try batch("a", 12...12, at: 0)).isEmpty)
        #expect(order.newer(try batch("a", 1...9, at: 0)).isEmpty)
        #expect(order.newer(try batch("a", 11...14, at: 0)).map(\.sequence) == [13, 14])
        // The backlog of a run that this reader has not received.
        #expect(order.newer(try batch("before", 1...9, at: 0)).isEmpty)
        #expect(order.newer(try batch("a", 15...15, at: 0)).map(\.sequence) == [15])
    }

    @Test mutating func `a run with a new spool starts at one`() throws {
        _ = order.newer(try batch("a", 100...100, at: 0))
        #expect(order.newer(try batch("b", 1...1, at: 500)).map(\.sequence) == [1])
        // Late fixes of the old run do not belong to it.
        #expect(order.newer(try batch("a", 101...101, at: 900)).isEmpty)
        #expect(order.newer(try batch("b", 2...2, at: 500)).map(\.sequence) == [2])
    }

    @Test(arguments: ["a", "other"], [1_000_000, Int64.max])
    mutating func `a single wrong number does not silence a member`(
        boot: String, number: Int64
    ) throws {
        #expect(order.newer(try batch("a", 1...1, at: 0)).count == 1)
        let wrong = FixRow(sequence: number, time: nil, received: 2000)
        var jump = try batch(boot, 1...1, at: 0)
        jump.rows = [wrong]
        #expect(order.newer(jump).isEmpty && order.jumpCount == 1)
        #expect(order.newer(try batch("a", 2...3, at: 0)).map(\.sequence) == [2, 3])
    }

    @Test mutating func `a jump is followed once the next message confirms it`() throws {
        _ = order.newer(try batch("a", 1_000_000...1_000_000, at: 0))
        // The first number was wrong, and the receiver has sent newer fixes since.
        #expect(order.newer(try batch("a", 5...5, at: 2_000_000)).isEmpty)
        #expect(order.newer(try batch("a", 6...6, at: 2_000_000)).map(\.sequence) == [6])
        #expect(order.newer(try batch("a", 900_000...900_000, at: 2_000_000)).isEmpty)
        #expect(order.newer(try batch("a", 900_001...900_001, at: 2_000_000)).count == 1)
        // A backlog is older.
        #expect(order.newer(try batch("a", 7...9, at: 0)).isEmpty)
        #expect(order.newer(try batch("a", 8...9, at: 0)).isEmpty)
    }

    @Test mutating func `members have separate orders, and a batch may be empty`() throws {
        _ = order.newer(try batch("a", 9...9, at: 0))
        var other = try batch("a", 1...1, at: 0)
        other.member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "other"))
        #expect(order.newer(other).count == 1)
        other.rows = []
        #expect(order.newer(other).isEmpty)
    }

    @Test func `batches of more members than the limit are dropped and counted`() throws {
        var order = LiveOrder(memberLimit: 2)
        for name in ["one", "two", "three", "four"] {
            var batch = try batch("a", 1...1, at: 0)
            batch.member = try #require(MemberName(fleet: "f", bridge: "b", receiver: name))
            #expect(order.newer(batch).isEmpty == ["three", "four"].contains(name))
            batch.rows = try self.batch("a", 2...2, at: 0).rows
            #expect(order.newer(batch).isEmpty == ["three", "four"].contains(name))
        }
        #expect(order.droppedCount == 4)
    }
}

/// The queue of events for a reader of an engine.
@Suite(.timeLimit(.generous))
struct EventQueueTests {
    private let queue = EventQueue()

    private func text(_ event: Result<LiveMessage, FleetError>?) -> String {
        switch event {
        case .success(.connected): "connected"
        case .success(.disconnected(let reason)): "disconnected: \(reason)"
        case .success(.message(let bytes)): String(decoding: bytes, as: UTF8.self)
        case .success(.nothing): "nothing"
        case .failure(let error): "error: \(error)"
        case nil: "none"
        }
    }

    private func append(_ text: String) { queue.append(.success(.message(Array(text.utf8)))) }

    @Test func `a slow reader loses the oldest messages, but not the connection`() {
        queue.append(.success(.connected))
        for number in 1...20_001 { append("\(number)") }
        #expect(text(queue.take()) == "connected")
        #expect(text(queue.take()) == "10002")
        var count = 1
        while queue.take() != nil { count += 1 }
        #expect(count == 10_000)
        #expect(queue.droppedCount == 10_001)
    }

    @Test func `the size of all messages is limited, and dropped ones are counted`() {
        let queue = EventQueue(sizeLimit: 10)
        for text in ["12345", "678", "90", "abc", "eleven bytes"] {
            queue.append(.success(.message(Array(text.utf8))))
        }
        #expect([0, 1, 2, 3].map { _ in text(queue.take()) } == ["678", "90", "abc", "none"])
        #expect(queue.droppedCount == 2)
    }

    @Test func `only the last change of the connection is kept, and an error takes precedence`() {
        for _ in 0..<3 {
            queue.append(.success(.disconnected("gone")))
            queue.append(.success(.connected))
        }
        append("m")
        #expect([0, 1, 2].map { _ in text(queue.take()) } == ["connected", "m", "none"])
        queue.append(.failure(FleetError("refused")))
        queue.append(.success(.disconnected("gone")))
        #expect(text(queue.take()) == "error: refused")
    }

    @Test func `waiting lasts for its full time after any number of events`() {
        for number in 1...100 { append("\(number)") }
        for _ in 1...100 { _ = queue.take() }
        let start = DispatchTime.now()
        #expect(text(queue.next(wait: .milliseconds(100))) == "none")
        #expect(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds >= 100_000_000)
    }

    @Test func `waiting ends with an event`() {
        let queue = queue
        DispatchQueue.global().async { queue.append(.success(.connected)) }
        #expect(text(queue.next(wait: .seconds(3600))) == "connected")
        #expect(text(queue.next(wait: .zero)) == "none")
    }
}
