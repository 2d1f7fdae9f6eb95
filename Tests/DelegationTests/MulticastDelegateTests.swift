// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct MulticastDelegateTests {
    protocol Listener: AnyObject {
        func received(_ value: Int)
    }

    final class LoggingListener: Listener, Sendable {
        let name: String
        let log: Log<String>
        let onReceive: @Sendable () -> Void
        let onDeinit: @Sendable () -> Void

        init(
            _ name: String, _ log: Log<String>, onReceive: @escaping @Sendable () -> Void = {},
            onDeinit: @escaping @Sendable () -> Void = {}
        ) {
            self.name = name
            self.log = log
            self.onReceive = onReceive
            self.onDeinit = onDeinit
        }

        deinit { onDeinit() }

        func received(_ value: Int) {
            log.append("\(name)\(value)")
            onReceive()
        }
    }

    let list = MulticastDelegate<any Listener>()
    let log = Log<String>()

    @Test func `delegates are called once each, in order`() {
        let listeners = ["a", "b", "c"].map { LoggingListener($0, log) }
        for listener in listeners + listeners { list.add(listener) }
        list.forEach { $0.received(1) }
        #expect(log.entries == ["a1", "b1", "c1"])
        #expect(list.count == 3 && list.contains(listeners[1]))
    }

    @Test func `delegates are held weakly`() {
        let stays = LoggingListener("a", log)
        list.add(stays)
        do { list.add(LoggingListener("b", log)) }
        #expect(list.count == 1)
        list.forEach { $0.received(1) }
        #expect(log.entries == ["a1"])
    }

    @Test func `an object at a deallocated delegate's address isn't one`() {
        var seen: Set<ObjectIdentifier> = []
        var reused = 0
        for _ in 0..<200 {
            let listener = LoggingListener("a", log)
            if !seen.insert(ObjectIdentifier(listener)).inserted {
                reused += 1
                #expect(!list.contains(listener))
            }
            list.add(listener)
        }
        #expect(reused > 0)
    }

    @Test func `a delegate removed during a call is no longer called`() {
        let second = LoggingListener("b", log)
        let first = LoggingListener("a", log, onReceive: { [list] in list.remove(second) })
        list.add(first)
        list.add(second)
        list.forEach { $0.received(1) }
        #expect(log.entries == ["a1"])
        #expect(!list.contains(second))
    }

    @Test func `a delegate added during a call is called next time`() {
        let second = LoggingListener("b", log)
        let first = LoggingListener("a", log, onReceive: { [list] in list.add(second) })
        list.add(first)
        list.forEach { $0.received(1) }
        list.forEach { $0.received(2) }
        #expect(log.entries == ["a1", "a2", "b2"])
    }

    @Test func `removing all delegates during a call ends the call`() {
        let listeners = ["a", "b"].map {
            LoggingListener($0, log, onReceive: { [list] in list.removeAll() })
        }
        for listener in listeners { list.add(listener) }
        list.forEach { $0.received(1) }
        #expect(log.entries == ["a1"] && list.isEmpty)
    }

    @Test func `a delegate may remove itself when it is deallocated`() {
        for _ in 0..<200 {
            let other = LoggingListener("a", log)
            let listener = Shared<LoggingListener?>(
                LoggingListener("b", log, onDeinit: { [list] in list.remove(other) }))
            if let listener = listener.value { list.add(listener) }
            onThreads(2) { [list] thread in
                if thread == 0 { _ = listener.take() } else { list.add(other) }
            }
            list.remove(other)
            #expect(list.isEmpty)
        }
    }

    @Test func `threads may add and remove while others call`() {
        let steady = LoggingListener("s", log)
        list.add(steady)
        onThreads(4) { [list, log] thread in
            for round in 0..<500 {
                if thread == 0 {
                    list.forEach { $0.received(round) }
                } else {
                    let listener = LoggingListener("x", log)
                    list.add(listener)
                    if round.isMultiple(of: 2) { list.remove(listener) }
                }
            }
        }
        #expect(log.entries.filter { $0.hasPrefix("s") } == (0..<500).map { "s\($0)" })
        #expect(list.count == 1)
    }

    @Test func `an error ends the call and reaches the caller`() {
        struct Failure: Error {}
        let listeners = ["a", "b"].map { LoggingListener($0, log) }
        for listener in listeners { list.add(listener) }
        #expect(throws: Failure.self) {
            try list.forEach { listener in
                listener.received(1)
                throw Failure()
            }
        }
        #expect(log.entries == ["a1"])
    }
}
