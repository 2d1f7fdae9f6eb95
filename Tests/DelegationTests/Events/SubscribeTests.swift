// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

/// The threads that observers are called on.
@Suite(.timeLimit(.generous), .leavesNothing)
struct SubscribeTests {
    @Test func `a subscriber that blocks delays neither the sender nor other subscribers`() async {
        let manager = Manager()
        let gate = DispatchSemaphore(value: 0)
        let (slow, quick) = (Log<Int>(), Log<Int>())
        let end = Promise<Void>()
        let subscription = manager.events.picked.subscribe(buffering: .newest(10)) { value in
            gate.wait()
            slow.append(value)
            if value == 1000 { end.fulfill(()) }
        }
        manager.events.picked.observe { quick.append($0) }
        let stream = manager.events.picked.values(buffering: .unbounded)
        for value in 1...1000 { manager.pick(value) }
        #expect(quick.entries == Array(1...1000))
        #expect(await collect(1000, of: stream) == Array(1...1000))
        // The running call, if it has begun, and ten waiting ones.
        #expect((989...990).contains(subscription.droppedCount))
        for _ in 1...11 { gate.signal() }
        _ = try? await end.value
        #expect(slow.entries.suffix(10) == Array(991...1000))
        subscription.dispose()
    }

    @Test func `a subscriber is called in order, and completion comes last`() async {
        let event = Event<Int>()
        let log = Log<Int>()
        let end = Promise<Void>()
        event.subscribe(
            buffering: .unbounded, { log.append($0) }, onCompletion: { end.fulfill(()) })
        for value in 1...10_000 { event.send(value) }
        event.complete()
        _ = try? await end.value
        #expect(log.entries == Array(1...10_000))
    }

    @Test func `a disposed subscription does not pause its source, even if its queue does nothing`()
        async
    {
        let queue = DispatchQueue(label: "stuck")
        let flow = FlowControl()
        let event = Event<Int>(flow: flow)
        let log = Log<Int>()
        let subscription = event.subscribe(on: queue, buffering: .newest(2)) { log.append($0) }
        queue.suspend()
        for value in 1...3 { event.send(value) }
        #expect(!flow.isClear && subscription.droppedCount == 1)
        subscription.dispose()
        #expect(flow.isClear && subscription.droppedCount == 1)
        queue.resume()
        await drain(queue)
        #expect(log.count == 0 && flow.isClear)
    }

    @Test func `a subscription that is disposed inside its closure does not pause its source`() {
        let flow = FlowControl()
        let event = Event<Int>(flow: flow)
        let log = Log<Int>()
        let subscription = Shared<Subscription?>(nil)
        subscription.value = event.subscribe(on: .immediate, buffering: .newest(2)) { value in
            log.append(value)
            event.send(value + 1)
            subscription.value?.dispose()
        }
        event.send(1)
        #expect(log.entries == [1] && flow.isClear)
        subscription.value = nil
    }

    @Test func `an observer is called on the sender's thread before send returns`() {
        let event = Event<Int>()
        let log = Log<String>()
        event.observe { log.append("value \($0)") }
        event.subscribe(on: .immediate) { log.append("immediate \($0)") }
        event.send(1)
        log.append("sent")
        #expect(log.entries == ["value 1", "immediate 1", "sent"])
    }

    @MainActor @Test func `a subscriber on the main actor may use what belongs to it`() async {
        let model = TitleModel()
        let event = Event<String>()
        let end = Promise<Void>()
        event.subscribe(on: .main) {
            model.title = $0
        } onCompletion: {
            model.title += "."
            end.fulfill(())
        }
        await Task.detached {
            event.send("title")
            event.complete()
        }.value
        _ = try? await end.value
        #expect(model.title == "title.")
    }
}
