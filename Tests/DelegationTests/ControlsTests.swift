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

    @MainActor @Test func `a binder on the main actor writes at once when called there`() {
        let model = TitleModel()
        let event = Event<String>()
        event.bind(to: model.events.title)
        event.bind(
            to: Binder(model, on: .main) {
                $0.caption = $1
            } onCompletion: {
                $0.caption = "completed"
            })
        event.send("now")
        #expect(model.title == "now" && model.caption == "now")
        event.complete()
        #expect(model.caption == "completed")
    }

    @MainActor @Test func `a binder writes at once only after the values that wait`() async {
        let model = TitleModel()
        let log = Log<String>()
        let end = Promise<Void>()
        let binder = Binder<String>(model, on: .main) { model, title in
            log.append(title)
            model.title = title
            if title == "last" { end.fulfill(()) }
        }
        let nested = Binder<String>(model, on: .main) { _, title in
            log.append(title)
            if title == "outer" { log.append("end of \(title)") }
        }
        onThreads(1) { _ in binder.send("waiting") }
        binder.send("last")
        #expect(log.count == 0)
        _ = try? await end.value
        #expect(log.entries == ["waiting", "last"])
        nested.send("outer")
        #expect(log.entries.suffix(2) == ["outer", "end of outer"])
    }

    @MainActor @Test func `a binder that its own write calls writes afterwards`() async {
        let model = TitleModel()
        let log = Log<String>()
        let end = Promise<Void>()
        let again = Shared<Binder<String>?>(nil)
        again.value = Binder(model, on: .main) { _, title in
            if title == "first" { again.value?.send("second") }
            log.append(title)
            if title == "second" { end.fulfill(()) }
        }
        again.value?.send("first")
        #expect(log.entries == ["first"])
        _ = try? await end.value
        #expect(log.entries == ["first", "second"])
        again.value = nil
    }
}
