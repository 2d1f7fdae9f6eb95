// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct ControlEventTests {
    let log = Log<Int>()

    @Test func `a control event has no initial value and completes with its owner`() {
        var dial: Dial? = Dial()
        let calls = Log<String>()
        dial?.pressed.subscribe {
            calls.append("pressed")
        } onCompletion: {
            calls.append("done")
        }
        #expect(calls.count == 0)
        dial?.press()
        dial = nil
        #expect(calls.entries == ["pressed", "done"])
    }

    @Test func `values arrive on the owner's executor, from any subscribing thread`() async {
        let queue = DispatchQueue(label: "owner")
        let dial = Dial(on: queue)
        let tokens = Log<Subscription>()
        onThreads(2) { [log] _ in
            tokens.append(
                dial.levelControl.subscribe { value in
                    dispatchPrecondition(condition: .onQueue(queue))
                    log.append(value)
                })
            tokens.append(
                dial.pressed.subscribe {
                    dispatchPrecondition(condition: .onQueue(queue))
                    log.append(-1)
                })
        }
        dial.turn(to: 3)
        dial.press()
        await drain(queue)
        #expect(log.entries.sorted() == [-1, -1, 0, 0, 3, 3])
        onThreads(4) { tokens.entries[$0].dispose() }
        dial.turn(to: 4)
        await drain(queue)
        #expect(log.count == 6)
    }

    @Test func `nothing is delivered after dispose, not even waiting values`() async {
        let queue = DispatchQueue(label: "owner")
        let event = Event<Int>()
        let token = event.subscribe(on: queue) { [log] in log.append($0) }
        queue.suspend()
        event.send(1)
        token.dispose()
        queue.resume()
        await drain(queue)
        #expect(log.count == 0)
    }

    @Test func `completion comes last and is never dropped`() async {
        let queue = DispatchQueue(label: "slow")
        let event = Event<Int>()
        event.subscribe(on: queue, buffering: .newest(2)) { [log] in
            log.append($0)
        } onCompletion: { [log] in
            log.append(-1)
        }
        queue.suspend()
        for value in 1...5 { event.send(value) }
        event.complete()
        queue.resume()
        await drain(queue)
        #expect(log.entries == [4, 5, -1])
    }

    @Test(
        arguments: zip(
            [BufferingPolicy.newest(1), .oldest(2)], [[1, -1], [1, 2, -1]]))
    func `a completion does not replace a value in a full buffer`(
        policy: BufferingPolicy, entries: [Int]
    ) async {
        let queue = DispatchQueue(label: "slow")
        let event = Event<Int>()
        let subscription = event.subscribe(on: queue, buffering: policy) { [log] in
            log.append($0)
        } onCompletion: { [log] in
            log.append(-1)
        }
        queue.suspend()
        for value in entries.dropLast() { event.send(value) }
        event.complete()
        queue.resume()
        await drain(queue)
        #expect(log.entries == entries && subscription.droppedCount == 0)
    }
}
