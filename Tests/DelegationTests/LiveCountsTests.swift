// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// The library releases all objects that it was given.
@Suite(.timeLimit(.generous))
struct LiveCountsTests {
    @Test func `proxies, observers, streams and promises release everything they hold`() {
        let counts = LiveCounts()
        LiveCounts.$current.withValue(counts) {
            let manager = Manager()
            let (observed, requested, connected) = (Log<Int>(), Log<String>(), Log<Int>())
            manager.events.picked.observe { observed.append($0) }
            let request = manager.events.learned.sentMessage.first { [requested] in
                requested.append($0)
                return false
            }
            let stream = EventStream<Int>(buffering: .unbounded) { onValue, onCompletion in
                manager.events.picked.observe { value in
                    connected.append(value)
                    onValue(value)
                } onCompletion: {
                    onCompletion()
                }
            }
            manager.pick(1)
            withExtendedLifetime((request, stream)) {
                // The manager, its own log, its proxy and three logs.
                #expect(counts.count == 6)
            }
        }
        #expect(counts.count == 0)
    }

    @Test func `a closure that waits for zero is called when the last object is released`() {
        let counts = LiveCounts()
        let log = Log<String>()
        var event: Event<Int>? = Event()
        LiveCounts.$current.withValue(counts) {
            let observed = Log<Int>()
            event?.observe { observed.append($0) }
        }
        counts.whenZero { log.append("none") }
        #expect(log.count == 0)
        event = nil
        #expect(log.entries == ["none"])
    }
}
