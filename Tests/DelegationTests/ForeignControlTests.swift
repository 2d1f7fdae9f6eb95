// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

/// Controls whose classes do not use this module.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ForeignControlTests {
    let log = Log<Int>()

    @Test func `each observer has one target until it is disposed`() {
        let knob = Knob()
        let first = knob.events.turned.observe { [log] in log.append($0) }
        let second = knob.events.turned.subscribe { [log] in log.append(-$0) }
        #expect(knob.targetCount == 2)
        knob.turn(to: 3)
        #expect(log.entries.sorted() == [-3, 3])
        first.dispose()
        second.dispose()
        first.dispose()
        #expect(knob.targetCount == 0)
        knob.turn(to: 4)
        #expect(log.count == 2)
    }

    @Test func `reading events attaches nothing`() {
        let knob = Knob()
        for _ in 1...100 { _ = (knob.events.turned, knob.events.level.value) }
        #expect(knob.targetCount == 0)
    }

    @Test func `observers complete when the control releases their events`() {
        var knob: Knob? = Knob()
        knob?.events.turned.observe { [log] in
            log.append($0)
        } onCompletion: { [log] in
            log.append(-1)
        }
        knob?.turn(to: 5)
        knob = nil
        #expect(log.entries == [5, -1])
    }

    @Test func `an observer needs neither its subscription nor its target kept`() {
        var knob: WeakKnob? = WeakKnob()
        knob?.turned.observe { [log] in
            log.append($0)
        } onCompletion: { [log] in
            log.append(-1)
        }
        knob?.turn(to: 6)
        #expect(log.entries == [6])
        // The target retains the event, and the event the target: a sweep ends both.
        knob = nil
        ProxyStorage.sweep()
        #expect(log.entries == [6, -1])
    }

    @Test func `disposing releases a target that the control doesn't retain`() {
        let knob = WeakKnob()
        let subscription = knob.turned.observe { [log] in log.append($0) }
        subscription.dispose()
        knob.turn(to: 7)
        #expect(log.count == 0)
    }

    @Test func `a stream ends with the control and detaches by break`() async {
        var knob: Knob? = Knob()
        var stream = knob?.events.turned.values()
        knob?.turn(to: 1)
        knob?.turn(to: 2)
        if let stream { for await value in stream.prefix(1) { #expect(value == 1) } }
        #expect(knob?.targetCount == 1)
        stream = nil
        #expect(knob?.targetCount == 0)
        let values = knob?.events.turned.values()
        knob?.turn(to: 3)
        knob = nil
        if let values { #expect(await collect(values) == [3]) }
    }

    @Test func `a foreign property sends its value, but no written ones`() {
        let knob = Knob()
        knob.level = 2
        let subscription = knob.events.level.observe { [log] in log.append($0) }
        knob.events.level.send(8)
        #expect(knob.level == 8 && knob.events.level.value == 8)
        knob.turn(to: 9)
        let changed = knob.events.level.changed.observe { [log] in log.append(-$0) }
        knob.turn(to: 10)
        #expect(log.entries.prefix(2) == [2, 9] && log.entries.dropFirst(2).sorted() == [-10, 10])
        subscription.dispose()
        changed.dispose()
        #expect(knob.targetCount == 0)
    }

    @Test func `a custom route detaches once, by dispose or completion`() {
        let (events, detached) = (Log<Event<Int>>(), Log<Int>())
        let numbers = EventRoute<Int> { event in
            events.append(event)
            event.send(1)
            return { detached.append(1) }
        }
        let first = numbers.observe { [log] in log.append($0) }
        numbers.map { $0 * 10 }.observe { [log] in
            log.append($0)
        } onCompletion: { [log] in
            log.append(-1)
        }
        first.dispose()
        first.dispose()
        #expect(detached.count == 1)
        events.entries.last?.send(2)
        events.entries.last?.complete()
        events.entries.last?.send(3)
        #expect(log.entries == [1, 10, 20, -1] && detached.count == 2)
    }

    @Test func `a route that completes or releases its event ends`() {
        let detached = Log<Int>()
        let completed = EventRoute<Int> { event in
            event.complete()
            return { detached.append(1) }
        }
        completed.observe { _ in
        } onCompletion: { [log] in
            log.append(1)
        }
        let released = EventRoute<Int> { _ in { detached.append(2) } }
        released.observe { _ in
        } onCompletion: { [log] in
            log.append(2)
        }
        #expect(log.entries == [1, 2] && detached.entries == [1, 2])
    }

    @Test func `racing observers leave no target`() {
        let knob = Knob()
        onThreads(8) { [log] thread in
            for round in 1...200 {
                let subscription = knob.events.turned.observe { log.append($0) }
                if thread == 0 { knob.turn(to: round) }
                subscription.dispose()
            }
        }
        #expect(knob.targetCount == 0 && log.count > 0)
    }

    @Test func `a control event takes routes and methods' events`() {
        let manager = Manager()
        let picked = ControlEvent(manager.events.picked, on: .immediate)
        let doubled = ControlEvent(manager.events.picked.map { $0 * 2 }, on: .immediate)
        picked.subscribe { [log] in log.append($0) }
        doubled.subscribe { [log] in log.append($0) }
        manager.pick(4)
        #expect(log.entries == [4, 8])
    }

    @MainActor @Test func `a main-actor control is used only there`() async {
        let slider = Slider()
        slider.position = 1
        let property = slider.events.slid
        let stream = await Task.detached { property.values() }.value
        // The value and the target follow on the main queue.
        var values = stream.makeAsyncIterator()
        #expect(await values.next() == 1)
        slider.slide(to: 2)
        #expect(await values.next() == 2)
        property.send(7)
        #expect(slider.position == 7 && property.value == 7)
        let subscription = property.changed.subscribe(on: .main) { [log] in log.append($0) }
        #expect(slider.targets.count == 2)
        await Task.detached { subscription.dispose() }.value
        while slider.targets.count > 1 { await Task.yield() }
        slider.slide(to: 8)
        #expect(log.count == 0)
    }

    @MainActor @Test func `a main-actor observer that is disposed first gets no value`()
        async
    {
        let slider = Slider()
        let property = slider.events.slid
        await Task.detached { [log] in
            // The main actor waits for this task only by suspending, so both closures may follow.
            let subscription = DispatchQueue.main.sync {
                // Safety: the main queue is the main actor's; the other queue's work waits for it.
                let waiting = Shared<Subscription?>(nil)
                DispatchQueue.global().sync {
                    waiting.value = property.observe { log.append($0) }
                    waiting.value?.dispose()
                }
                return waiting.take()
            }
            subscription?.dispose()
        }.value
        for _ in 1...10 { await Task.yield() }
        #expect(log.count == 0 && slider.targets.isEmpty)
    }
}
