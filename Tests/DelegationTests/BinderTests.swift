// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct BinderTests {
    let log = Log<Int>()

    @Test func `a binder doesn't keep its target alive, and writes nothing without it`() async {
        let queue = DispatchQueue(label: "binder")
        var dial: Dial? = Dial()
        weak let seen = dial
        let binder = dial.map { Binder($0, on: queue) { [log] in log.append($1 + $0.level) } }
        dial = nil
        #expect(seen == nil)
        binder?.send(1)
        await drain(queue)
        #expect(log.count == 0)
    }

    @Test func `a binder gives its closure the value and the target`() {
        let dial = Dial()
        let targets = Log<ObjectIdentifier>()
        let binder = Binder(dial, on: .immediate) { [log] target, value in
            targets.append(ObjectIdentifier(target))
            log.append(value)
        }
        binder.send(42)
        #expect(log.entries == [42] && targets.entries == [ObjectIdentifier(dial)])
    }

    @Test(arguments: ["first", "second"])
    func `a binder writes on the executor it was given, in order`(label: String) async {
        let queue = DispatchQueue(label: label)
        let dial = Dial()
        let binder = Binder(dial, on: queue) { [log] _, value in
            dispatchPrecondition(condition: .onQueue(queue))
            log.append(value)
        }
        onThreads(1) { _ in for value in 1...100 { binder.send(value) } }
        await drain(queue)
        #expect(log.entries == Array(1...100))
    }

    @Test func `an event bound to a binder writes each value and its end means nothing`() {
        let dial = Dial()
        let event = Event<Int>()
        event.bind(to: dial.events.level)
        event.send(5)
        event.complete()
        #expect(dial.level == 5)
    }
}
