// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Observers created in an isolated context and called on a producer's thread.
@Suite(.timeLimit(.generous), .leavesNothing)
struct IsolationTests {
    @MainActor @Test func `a closure formed on the main actor may be called on any thread`()
        async throws
    {
        let manager = Manager()
        let log = Log<Int>()
        manager.events.picked.observe { log.append($0) }
        let request = manager.events.picked.sentMessage.first().then { $0 + 1 }
        let executor = Task.detached { onThreads(2) { _ in manager.pick(1) } }
        await executor.value
        #expect(log.entries == [1, 1])
        #expect(try await request.value == 2)
    }

    @MainActor @Test func `a stream is read on the main actor while another thread sends`() async {
        let manager = Manager()
        let stream = manager.events.picked.values()
        let producer = Task.detached { for value in 1...100 { manager.pick(value) } }
        var seen: [Int] = []
        for await value in stream {
            MainActor.assertIsolated()
            seen.append(value)
            if seen.count == 100 { break }
        }
        await producer.value
        #expect(seen == Array(1...100))
    }
}
