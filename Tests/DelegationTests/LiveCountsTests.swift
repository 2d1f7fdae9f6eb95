// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct LiveCountsTests {
    @Test func `counts what is alive and returns to where it started`() {
        let counts = LiveCounts()
        counts.watch {
            let manager = Manager()
            let stream = manager.events.picked.values()
            let request = manager.events.learned.sentMessage.first()
            withExtendedLifetime((manager, stream, request)) {
                #expect(counts[.proxies] == 1)
                #expect(counts[.observers] == 2)
                #expect(counts[.streams] == 1)
                #expect(counts[.promises] == 1)
            }
        }
        #expect(counts.total == 0)
    }

    @Test func `whoever waits for the last object is told when it goes`() {
        let counts = LiveCounts()
        let log = Log<String>()
        var event: Event<Int>? = Event()
        counts.watch { event?.observe { _ in } }
        counts.whenZero { log.append("none") }
        #expect(log.count == 0)
        event = nil
        #expect(log.entries == ["none"])
    }
}
