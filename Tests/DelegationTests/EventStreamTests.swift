// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct EventStreamTests {
    @Test func `a stream buffers values sent before it is read`() async {
        let event = Event<Int>()
        let stream = event.values()
        for value in 1...3 { event.send(value) }
        event.complete()
        #expect(await collect(stream) == [1, 2, 3])
    }

    @Test func `two streams receive everything and unsubscribe at their end`() async {
        let event = Event<Int>()
        do {
            let all = event.values()
            let some = event.values()
            for value in 1...5 { event.send(value) }
            #expect(await collect(5, of: all) == [1, 2, 3, 4, 5])
            #expect(await collect(2, of: some) == [1, 2])
            #expect(event.hasObservers)
        }
        #expect(!event.hasObservers)
    }

    @Test func `two loops over one stream receive everything`() async {
        let event = Event<Int>()
        let stream = event.values(buffering: .unbounded)
        var first = stream.makeAsyncIterator()
        var second = stream.makeAsyncIterator()
        for value in 1...100 { event.send(value) }
        event.complete()
        var seen: [[Int]] = [[], []]
        while let value = await first.next() { seen[0].append(value) }
        while let value = await second.next() { seen[1].append(value) }
        #expect(seen == [Array(1...100), Array(1...100)])
    }

    @Test func `a second loop continues where the first one stopped`() async {
        let event = Event<Int>()
        let stream = event.values()
        for value in 1...4 { event.send(value) }
        #expect(await collect(2, of: stream) == [1, 2])
        #expect(await collect(2, of: stream) == [3, 4])
    }

    @Test func `breaking out of a loop unsubscribes`() async throws {
        let arrival = Promise<Void>()
        let event = Event<Int>(onInterestChange: { if $0 { arrival.fulfill(()) } })
        let reader = Task {
            for await value in event.values() where value == 2 { break }
            return event.hasObservers
        }
        try await arrival.value
        event.send(1)
        event.send(2)
        #expect(await reader.value == false)
    }

    @Test func `cancelling the task ends the loop and unsubscribes`() async {
        let event = Event<Int>()
        let stream = event.values()
        let reader = Task { await collect(stream) }
        reader.cancel()
        #expect(await reader.value == [])
        #expect(!event.hasObservers)
    }

    @Test func `a full buffer keeps the newest values and counts dropped ones`() async {
        let event = Event<Int>()
        let stream = event.values(buffering: .newest(1))
        for value in 1...10 { event.send(value) }
        #expect(stream.droppedCount == 9)
        #expect(await collect(1, of: stream) == [10])
    }

    @Test func `with oldest, a full buffer drops new values`() async {
        let event = Event<Int>()
        let stream = event.values(buffering: .oldest(2))
        for value in 1...5 { event.send(value) }
        #expect(stream.droppedCount == 3)
        #expect(await collect(2, of: stream) == [1, 2])
    }

    @Test(arguments: [BufferingPolicy.newest(0), .oldest(0), .newest(-1)])
    func `a buffer without room drops everything`(policy: BufferingPolicy) async {
        let event = Event<Int>()
        let stream = event.values(buffering: policy)
        event.send(1)
        event.complete()
        #expect(await collect(stream) == [])
        #expect(stream.droppedCount == 1)
    }

    @Test func `a waiting reader gets the next value`() async throws {
        let arrival = Promise<Void>()
        let event = Event<Int>(onInterestChange: { if $0 { arrival.fulfill(()) } })
        let reader = Task { await event.values().first { _ in true } }
        try await arrival.value
        event.send(7)
        #expect(await reader.value == 7)
    }

    @Test func `a stream of a deallocated event ends`() async {
        var event: Event<Int>? = Event()
        let stream = event?.values()
        event?.send(1)
        event = nil
        if let stream {
            #expect(await collect(stream) == [1])
            #expect(await collect(stream) == [])
        }
    }

    @Test func `an event is observed while it has streams`()
        async throws
    {
        let running = Log<Bool>()
        let event = Event<Int>(onInterestChange: { running.append($0) })
        let first = event.values()
        let second = event.values()
        let readers = [first, second].map { stream in Task { await collect(stream) } }
        #expect(running.entries == [true])
        readers[0].cancel()
        #expect(await readers[0].value == [])
        #expect(running.entries == [true])
        readers[1].cancel()
        #expect(await readers[1].value == [])
        #expect(running.entries == [true, false])
    }
}
