// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
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

    @Test func `an event bound to a binder writes each value, and then its completion`() {
        let dial = Dial()
        let event = Event<Int>()
        let binder = Binder(dial, on: .immediate) { [log] dial, value in
            dial.level = value
            log.append(value)
        } onCompletion: { [log] in
            log.append(-$0.level)
        }
        event.bind(to: binder)
        event.send(5)
        event.complete()
        #expect(dial.level == 5 && log.entries == [5, -5])
    }

    @Test func `a completion does not replace a value that waits for a binder`() async {
        let queue = DispatchQueue(label: "slow")
        let dial = Dial()
        let event = Event<Int>()
        let binder = Binder(dial, on: queue) { [log] in
            log.append($1)
        } onCompletion: { [log] _ in
            log.append(-1)
        }
        event.bind(to: binder)
        queue.suspend()
        for value in 1...256 { event.send(value) }
        event.complete()
        #expect(binder.droppedCount == 0)
        binder.send(257)
        queue.resume()
        await drain(queue)
        #expect(log.entries == Array(2...256) + [-1, 257] && binder.droppedCount == 1)
    }

    @Test func `an event is bound to several, to an optional and to a control property`() {
        let (dial, other) = (Dial(), Dial())
        let (numbers, texts) = (Event<Int>(), Event<String>())
        let level = Binder<Int>(other, on: .immediate) { $0.level = $1 }
        let subscription = numbers.bind(to: dial.levelControl, level)
        let caption = Binder<String?>(other, on: .immediate) { $0.write($1 ?? "none") }
        texts.bind(to: dial.captionControl, caption)
        numbers.send(3)
        texts.send("three")
        #expect(dial.level == 3 && other.level == 3 && dial.text == "three")
        subscription.dispose()
        numbers.send(4)
        #expect(dial.level == 3 && other.level == 3)
    }

    @MainActor @Test func `a main actor's property is written on the main actor`() async {
        let model = TitleModel()
        let event = Event<String>()
        let end = Promise<Void>()
        event.bind(to: model.events.title)
        event.bind(to: model.events.caption)
        event.bind(to: Binder(model, on: .main) { $0.title += $1 })
        event.bind(
            to: Binder(model, on: .main) {
                $0.title += $1
            } onCompletion: {
                $0.title += "."
                end.fulfill(())
            })
        await Task.detached {
            event.send("title")
            event.complete()
        }.value
        _ = try? await end.value
        #expect(model.title == "titletitletitle." && model.caption == "title")
    }
}
