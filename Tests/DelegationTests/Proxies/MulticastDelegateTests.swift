// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct MulticastDelegateTests {
    protocol Listener: AnyObject {
        func heard(_ value: Int)
    }

    final class Ear: Listener, Sendable {
        let name: String
        let log: Log<String>
        let onHeard: @Sendable () -> Void
        let onDeinit: @Sendable () -> Void

        init(
            _ name: String, _ log: Log<String>, onHeard: @escaping @Sendable () -> Void = {},
            onDeinit: @escaping @Sendable () -> Void = {}
        ) {
            self.name = name
            self.log = log
            self.onHeard = onHeard
            self.onDeinit = onDeinit
        }

        deinit { onDeinit() }

        func heard(_ value: Int) {
            log.append("\(name)\(value)")
            onHeard()
        }
    }

    let list = MulticastDelegate<any Listener>()
    let log = Log<String>()

    @Test func `calls delegates in the order they were added, each once`() {
        let ears = ["a", "b", "c"].map { Ear($0, log) }
        for ear in ears + ears { list.add(ear) }
        list.forEach { $0.heard(1) }
        #expect(log.entries == ["a1", "b1", "c1"])
        #expect(list.count == 3 && list.contains(ears[1]))
    }

    @Test func `holds delegates weakly and removes deallocated ones`() {
        let stays = Ear("a", log)
        list.add(stays)
        do { list.add(Ear("b", log)) }
        #expect(list.count == 1)
        list.forEach { $0.heard(1) }
        #expect(log.entries == ["a1"])
    }

    @Test func `an object at a deallocated delegate's address is not the delegate`() {
        var seen: Set<ObjectIdentifier> = []
        var reused = 0
        for _ in 0..<200 {
            let ear = Ear("a", log)
            if !seen.insert(ObjectIdentifier(ear)).inserted {
                reused += 1
                #expect(!list.contains(ear))
            }
            list.add(ear)
        }
        #expect(reused > 0)
    }

    @Test func `a delegate removed during a call isn't called any more`() {
        let second = Ear("b", log)
        let first = Ear("a", log, onHeard: { [list] in list.remove(second) })
        list.add(first)
        list.add(second)
        list.forEach { $0.heard(1) }
        #expect(log.entries == ["a1"])
        #expect(!list.contains(second))
    }

    @Test func `a delegate added during a call is called from the next on`() {
        let second = Ear("b", log)
        let first = Ear("a", log, onHeard: { [list] in list.add(second) })
        list.add(first)
        list.forEach { $0.heard(1) }
        list.forEach { $0.heard(2) }
        #expect(log.entries == ["a1", "a2", "b2"])
    }

    @Test func `removing all delegates during a call ends the call`() {
        let ears = ["a", "b"].map { Ear($0, log, onHeard: { [list] in list.removeAll() }) }
        for ear in ears { list.add(ear) }
        list.forEach { $0.heard(1) }
        #expect(log.entries == ["a1"] && list.isEmpty)
    }

    @Test func `a delegate may remove itself when it is deallocated`() {
        for _ in 0..<200 {
            let other = Ear("a", log)
            let ear = Shared<Ear?>(Ear("b", log, onDeinit: { [list] in list.remove(other) }))
            if let ear = ear.value { list.add(ear) }
            onThreads(2) { [list] thread in
                if thread == 0 { _ = ear.take() } else { list.add(other) }
            }
            list.remove(other)
            #expect(list.isEmpty)
        }
    }

    @Test func `threads may add and remove while others call`() {
        let steady = Ear("s", log)
        list.add(steady)
        onThreads(4) { [list, log] thread in
            for round in 0..<500 {
                if thread == 0 {
                    list.forEach { $0.heard(round) }
                } else {
                    let ear = Ear("x", log)
                    list.add(ear)
                    if round.isMultiple(of: 2) { list.remove(ear) }
                }
            }
        }
        #expect(log.entries.filter { $0.hasPrefix("s") } == (0..<500).map { "s\($0)" })
        #expect(list.count == 1)
    }

    @Test func `an error ends the call and reaches the caller`() {
        struct Failure: Error {}
        let ears = ["a", "b"].map { Ear($0, log) }
        for ear in ears { list.add(ear) }
        #expect(throws: Failure.self) {
            try list.forEach { ear in
                ear.heard(1)
                throw Failure()
            }
        }
        #expect(log.entries == ["a1"])
    }
}
