// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct BinderTests {
    let log = Log<Int>()

    @Test func `a binder holds its target weakly`() async {
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
    func `a binder writes on its executor, in order`(label: String) async {
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

    @Test func `a bound event writes each value, then its completion`() {
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

    @Test func `a completion replaces no value that waits for a binder`() async {
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

    @Test func `an event is bound to several, optional and control properties`() {
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

    @MainActor @Test func `a main-actor binder writes at once when called there`() {
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

    @MainActor @Test func `a binder writes waiting values first`() async {
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

    @MainActor @Test func `a binder called by its own write writes afterwards`() async {
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

@Suite(.timeLimit(.generous), .leavesNothing)
struct ControlEventTests {
    let log = Log<Int>()

    @Test func `control events have no initial value and complete with their owner`() {
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

    @Test func `nothing arrives after dispose, not even waiting values`() async {
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
    func `a completion replaces no value in a full buffer`(
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

@Suite(.timeLimit(.generous), .leavesNothing)
struct ControlPropertyTests {
    let log = Log<Int>()

    @Test func `a control property sends its value, then the user's changes`() {
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

    @Test func `a property without a value starts with its first change`() async {
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

    @Test func `each iterator starts with the value`() async {
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

    @Test func `racing changes come in order, after the initial value`() {
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

    @Test func `orEmpty converts nil to the empty string`() {
        let dial = Dial()
        let texts = Log<String>()
        let control = dial.captionControl.orEmpty
        control.subscribe { texts.append($0) }
        dial.write(nil)
        control.send("a")
        #expect(texts.entries == ["", ""])
        #expect(dial.text == "a" && control.value == "a")
    }

    @Test func `a deallocated object's property completes at once, without a value`() {
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

/// The namespace `object.events`, which extensions add members to.
@Suite(.timeLimit(.generous), .leavesNothing)
struct EventNamespaceTests {
    @Test func `a delegate's events are members of the namespace events`() {
        let manager = Manager()
        let mock = Mock()
        let log = Log<Int>()
        manager.delegate = mock
        manager.events.picked.observe { log.append($0) }
        #expect(log.count == 0)
        manager.pick(3)
        #expect(log.entries == [3])
        #expect(ManagerProxy.proxy(for: manager).forwardToDelegate() === mock)
    }

    @Test func `the namespace writes a class's property, reads a struct's and extends a protocol`()
    {
        let lamp = Lamp()
        lamp.events.brightness = 7
        #expect(lamp.level == 7)
        #expect(Point(x: 2).events.doubled == 4)
        #expect(lamp.events.title == "lamp")
    }

    @Test func `a writable property is a binder`() async {
        let lamp = Lamp()
        lamp.events.level.send(3)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(lamp.level == 3)
        let queue = DispatchQueue(label: "lamp")
        lamp.events[binding: \.level, on: queue].send(4)
        await drain(queue)
        #expect(lamp.level == 4)
    }
}

private protocol Titled { var name: String { get } }

private final class Lamp: HasEvents, Titled, Sendable {
    private let stored = Shared(0)
    let name = "lamp"
    var level: Int {
        get { stored.value }
        set { stored.value = newValue }
    }
}

private struct Point: HasEvents { let x: Int }

extension EventNamespace where Base == Lamp {
    fileprivate var brightness: Int {
        get { base.level }
        nonmutating set { base.level = newValue }
    }
}

extension EventNamespace where Base == Point {
    fileprivate var doubled: Int { base.x * 2 }
}

extension EventNamespace where Base: Titled {
    fileprivate var title: String { base.name }
}
