// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct ControlPropertyTests {
    let log = Log<Int>()

    @Test func `a control property starts with its value and continues with the user's changes`() {
        var dial: Dial? = Dial()
        let control = dial?.levelControl
        let calls = Log<String>()
        dial?.level = 1
        control?.subscribe {
            calls.append("\($0)")
        } onCompletion: {
            calls.append("done")
        }
        dial?.turn(to: 2)
        control?.send(3)
        #expect(dial?.level == 3)
        #expect(calls.entries == ["1", "2"])
        dial = nil
        #expect(calls.entries == ["1", "2", "done"])
        #expect(control?.value == nil)
    }

    @Test func `a property without a value yet starts with its first change`() async {
        let changes = Event<Int>()
        let fix = Shared<Int?>(nil)
        let location = ControlProperty(
            changes: changes, on: .immediate, get: { fix.value }, set: { _ in })
        location.subscribe { [log] in log.append($0) }
        #expect(log.count == 0 && location.value == nil)
        changes.send(1)
        #expect(log.entries == [1])
    }

    @Test func `changed leaves out the initial value`() {
        let dial = Dial()
        let token = dial.levelControl.changed.subscribe { [log] in log.append($0) }
        #expect(log.count == 0)
        dial.turn(to: 1)
        #expect(log.entries == [1])
        token.dispose()
        dial.turn(to: 2)
        #expect(log.entries == [1])
    }

    @Test func `each iterator of a control property starts with the value`() async {
        let dial = Dial()
        let stream = dial.levelControl.values()
        dial.turn(to: 1)
        dial.turn(to: 2)
        var first = stream.makeAsyncIterator()
        var second = stream.makeAsyncIterator()
        let seen = [await first.next(), await first.next(), await first.next()]
        #expect(seen == [0, 1, 2])
        #expect(await second.next() == 2)
    }

    @Test func `changes that race with a subscription come in order and after the initial value`() {
        for _ in 0..<300 {
            let dial = Dial()
            let seen = Log<Int>()
            onThreads(2) { thread in
                if thread == 0 {
                    for level in 1...20 { dial.turn(to: level) }
                } else {
                    dial.levelControl.subscribe { seen.append($0) }
                }
            }
            let levels = seen.entries
            #expect(levels.last == 20)
            #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test func `orEmpty converts nil to the empty string, and written values arrive`() {
        let dial = Dial()
        let texts = Log<String>()
        let control = dial.captionControl.orEmpty
        control.subscribe { texts.append($0) }
        dial.write(nil)
        control.send("a")
        #expect(texts.entries == ["", ""])
        #expect(dial.text == "a" && control.value == "a")
    }

    @Test func `a property of a deallocated object completes at once and has no value`() {
        let calls = Log<String>()
        let control: ControlProperty<Int>
        do {
            let dial = Dial()
            control = dial.levelControl
        }
        control.subscribe { _ in
            calls.append("value")
        } onCompletion: {
            calls.append("done")
        }
        #expect(calls.entries == ["done"])
    }
}
