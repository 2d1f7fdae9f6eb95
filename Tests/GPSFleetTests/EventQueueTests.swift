// SPDX-License-Identifier: MIT
import Dispatch
import GPSFleet
import GPSTestSupport
import Testing

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
