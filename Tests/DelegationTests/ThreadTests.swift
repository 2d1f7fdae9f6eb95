// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Concurrent use from many threads; also run under the thread sanitizer.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ThreadTests {
    @Test func `each observer receives a producer's events in order during other changes`() {
        let manager = Manager()
        let steady = Log<Int>()
        let delegates = [Mock(), Mock()]
        manager.events.picked.observe { steady.append($0) }
        let count = 100_000
        onThreads(4) { thread in
            guard thread > 0 else {
                for value in 1...count { manager.pick(value) }
                return
            }
            for round in 0..<2_000 {
                let last = Shared(0)
                let token = manager.events.picked.methodInvoked.observe { value in
                    if value <= last.value { Issue.record("\(value) after \(last.value)") }
                    last.value = value
                }
                manager.delegate = delegates[round % 2]
                token.dispose()
                manager.delegate = nil
            }
        }
        #expect(steady.entries == Array(1...count))
    }

    @Test func `a million events reach a steady observer once each`() {
        let manager = Manager()
        let received = (0..<8).map { _ in Shared(0) }
        let disorder = Shared(0)
        // Each thread numbers its events, so lost or repeated ones show in count and order.
        let latest = Shared(Array(repeating: -1, count: 8))
        manager.events.picked.observe { value in
            let thread = value % 8
            received[thread].value += 1
            if latest.value[thread] >= value { disorder.value += 1 }
            latest.update { $0[thread] = value }
        }
        let mock = Mock()
        onThreads(8) { thread in
            for round in 0..<125_000 {
                if round.isMultiple(of: 64) {
                    manager.events.learned.observe { _ in }.dispose()
                    manager.events.picked.observe { _ in }.dispose()
                    manager.delegate = round.isMultiple(of: 128) ? mock : nil
                }
                manager.pick(round * 8 + thread)
            }
        }
        #expect(received.map(\.value) == Array(repeating: 125_000, count: 8))
        #expect(disorder.value == 0)
    }

    @Test func `a stalled reader loses only its own events, which are counted`() async {
        let event = Event<Int>()
        let stalled = event.values(buffering: .newest(16))
        let sum = Shared(0)
        event.observe { value in sum.update { $0 += value } }
        let count = 200_000
        for value in 1...count { event.send(value) }
        event.complete()
        #expect(sum.value == count * (count + 1) / 2)
        #expect(stalled.droppedCount == count - 16)
        #expect(await collect(stalled) == Array(count - 15...count))
    }

    @Test func `readers in separate tasks each receive everything`() async {
        let event = Event<Int>()
        let streams = (0..<4).map { _ in event.values(buffering: .unbounded) }
        let readers = streams.map { stream in Task { await collect(stream) } }
        onThreads(1) { _ in
            for value in 1...5_000 { event.send(value) }
            event.complete()
        }
        for reader in readers {
            #expect(await reader.value == Array(1...5_000))
        }
    }

    @Test func `readers cancelled during events leave no observers`() async {
        let event = Event<Int>()
        let readers = (0..<50).map { _ in
            Task {
                var last = 0
                for await value in event.values() {
                    if value <= last { Issue.record("\(value) after \(last)") }
                    last = value
                }
            }
        }
        let canceller = Task { for reader in readers { reader.cancel() } }
        for value in 1...2_000 { event.send(value) }
        await canceller.value
        for reader in readers { await reader.value }
        #expect(!event.hasObservers)
    }
}
