// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct EventTests {
    @Test func `observers are called in the order of subscription`() {
        let event = Event<Int>()
        let log = Log<String>()
        event.observe { log.append("a\($0)") }
        event.observe { log.append("b\($0)") }
        event.send(1)
        event.send(2)
        #expect(log.entries == ["a1", "b1", "a2", "b2"])
    }

    @Test func `a late subscriber receives only later values`() {
        let event = Event<Int>()
        let log = Log<Int>()
        event.send(1)
        event.observe { log.append($0) }
        event.send(2)
        #expect(log.entries == [2])
    }

    @Test func `an undisposed observer outlives its subscription`() {
        let event = Event<Int>()
        let log = Log<Int>()
        do { _ = event.observe { log.append($0) } }
        event.send(1)
        #expect(log.entries == [1])
    }

    @Test func `a scoped subscription ends with its last reference`() {
        let event = Event<Int>()
        var scope: ScopedSubscription? = event.observe { _ in }.scoped
        #expect(event.hasObservers)
        scope = nil
        #expect(scope == nil && !event.hasObservers)
    }

    @Test func `disposing a subscription twice detaches only one observer`() {
        let event = Event<Int>()
        let log = Log<Int>()
        let first = event.observe { _ in }
        event.observe { log.append($0) }
        first.dispose()
        first.dispose()
        event.send(1)
        #expect(log.entries == [1])
        #expect(first.isDisposed)
    }

    @Test func `an observer may dispose itself and others and subscribe`() {
        let event = Event<Int>()
        let log = Log<String>()
        let tokens = Shared<[Subscription]>([])
        let own = event.observe { value in
            log.append("first \(value)")
            for token in tokens.value { token.dispose() }
            event.observe { log.append("new \($0)") }
        }
        let other = event.observe { log.append("other \($0)") }
        tokens.value = [own, other]
        event.send(1)
        event.send(2)
        #expect(log.entries == ["first 1", "new 2"])
    }

    @Test func `completion arrives once, for late subscribers at once`() {
        let event = Event<Int>()
        let log = Log<String>()
        event.observe({ log.append("\($0)") }, onCompletion: { log.append("done") })
        event.complete()
        event.complete()
        event.send(1)
        event.observe({ log.append("\($0)") }, onCompletion: { log.append("late") })
        event.send(2)
        #expect(log.entries == ["done", "late"])
        #expect(event.isCompleted && !event.hasObservers)
    }

    @Test func `a completed subscription releases its closure`() {
        final class Listener: Sendable {
            let subscription = Shared<ScopedSubscription?>(nil)
            func receive(_ value: Int) {}
        }
        let attachments: [(Event<Int>, Listener) -> Subscription] = [
            { event, listener in event.observe { listener.receive($0) } },
            { event, listener in event.subscribe(on: .immediate) { listener.receive($0) } },
        ]
        for attach in attachments {
            for completesFirst in [true, false] {
                let event = Event<Int>()
                weak var kept: Listener?
                do {
                    let listener = Listener()
                    kept = listener
                    if completesFirst { event.complete() }
                    listener.subscription.value = attach(event, listener).scoped
                    event.complete()
                    event.send(1)
                }
                #expect(kept == nil)
            }
        }
    }

    @Test func `a completion sent inside an observer follows the value`() {
        let event = Event<Int>()
        let log = Log<String>()
        event.observe { _ in
            event.complete()
            event.send(2)
        }
        event.observe({ log.append("\($0)") }, onCompletion: { log.append("done") })
        event.send(1)
        #expect(log.entries == ["1", "done"])
    }

    @Test func `an event completes when it is deallocated`() {
        let log = Log<String>()
        var event: Event<Int>? = Event()
        event?.observe({ _ in }, onCompletion: { log.append("done") })
        event = nil
        #expect(log.entries == ["done"])
    }

    @Test func `no value follows a racing completion`() {
        for _ in 0..<200 {
            let event = Event<Int>()
            let log = Log<Int>()
            event.observe({ log.append($0) }, onCompletion: { log.append(-1) })
            onThreads(4) { thread in
                if thread == 3 { event.complete() }
                for value in 0..<20 { event.send(value) }
            }
            #expect(log.entries.last == -1)
            #expect(log.entries.count { $0 == -1 } == 1)
        }
    }

    @Test func `an event reports its first observer and that it has none`() {
        let log = Log<Bool>()
        let event = Event<Int>(onInterestChange: { log.append($0) })
        let first = event.observe { _ in }
        let second = event.observe { _ in }
        first.dispose()
        #expect(log.entries == [true])
        second.dispose()
        event.observe { _ in }
        event.complete()
        #expect(log.entries == [true, false, true, false])
    }

    @Test func `after racing subscriptions, the last report has the final state`() {
        for round in 0..<200 {
            let log = Log<Bool>()
            let event = Event<Int>(onInterestChange: { log.append($0) })
            let stays = round.isMultiple(of: 2)
            onThreads(4) { thread in
                for _ in 0..<10 { event.observe { _ in }.dispose() }
                if stays, thread == 0 { event.observe { _ in } }
            }
            #expect(log.entries.last == stays)
            #expect(log.entries.enumerated().allSatisfy { $1 == $0.isMultiple(of: 2) })
        }
    }
}
